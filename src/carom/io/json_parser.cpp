#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "carom/base/diagnostics.h"
#include "carom/io/json_value.h"

namespace carom::io {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{256} << 20U;
constexpr std::size_t kMaxDepth = 64;

// nlohmann's events carry no position, but each follows the reading of its token's last character,
// or, for a number, of the one after it: so the line of the last character read is the token's
// line.
struct Position {
  int line = 1;
  char last = 0;
};

class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Position* position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (position_->last == '\n') ++position_->line;
    position_->last = *at_++;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  Position* position_;
};

// "[json.exception…] parse error at line 1, column 2: what" becomes what, in printable characters.
std::string reason_of(std::string message) {
  constexpr std::size_t kLongest = 160;
  const std::size_t column = message.find("column");
  const std::size_t colon = message.find(": ", column == std::string::npos ? 0 : column);
  if (column != std::string::npos && colon != std::string::npos) message.erase(0, colon + 2);
  if (message.size() > kLongest) message = message.substr(0, kLongest) + "...";
  for (char& c : message) {
    if (c < ' ' || c > '~') c = '?';
  }
  return message;
}

class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Exception = nlohmann::detail::exception;
  explicit Handler(const Position& position) : position_(position) {}

  JsonValue root;
  std::vector<base::Diagnostic> problems;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // never in JSON text
  bool start_object(std::size_t) override { return open(JsonValue::Object{}); }
  bool start_array(std::size_t) override { return open(JsonValue::Array{}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Frame& frame = open_.back();
    if (!frame.keys.insert(name).second) {
      problem(pointer_to(frame.place, name), "a second key of this name", "each key once");
    }
    frame.value->as<JsonValue::Object>()->emplace_back(std::move(name), JsonValue{});
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Exception& error) override {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      problem(next_place(), "a number out of range", "a finite number");
    } else {
      problem("", "text that is not JSON (" + reason_of(error.what()) + ")", "valid JSON");
    }
    return false;
  }

 private:
  struct Frame {
    JsonValue* value;  // stays put: its parent does not grow while it is open
    std::string place;
    std::unordered_set<std::string> keys;
  };

  void problem(std::string place, std::string found, std::string expected) {
    problems.push_back(
        {std::move(place), std::move(found), std::move(expected), {}, {}, position_.line});
  }

  std::string next_place() const {
    if (open_.empty()) return {};
    const auto& [value, place, keys] = open_.back();
    if (const auto* array = value->as<JsonValue::Array>()) return pointer_to(place, array->size());
    return pointer_to(place, value->as<JsonValue::Object>()->back().key);
  }

  template <typename T>
  bool add(T&& data) {
    slot() = {std::forward<T>(data), position_.line};
    return true;
  }

  template <typename T>
  bool open(T data) {
    std::string place = next_place();
    if (open_.size() == kMaxDepth) {
      problem("", "nesting deeper than 64", "lists and objects at most 64 deep");
      return false;
    }
    JsonValue& value = slot();
    value = {std::move(data), position_.line};
    open_.push_back({&value, std::move(place), {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  // Where the next value goes.
  JsonValue& slot() {
    if (open_.empty()) return root;
    JsonValue& parent = *open_.back().value;
    if (auto* array = parent.as<JsonValue::Array>()) return array->emplace_back();
    return parent.as<JsonValue::Object>()->back().value;
  }

  const Position& position_;
  std::vector<Frame> open_;
};

}  // namespace

JsonValue parse_json(std::string_view text) {
  if (text.size() > kMaxBytes) {
    throw base::BadInput({{{}, "more than 256 MB", "a smaller file", {}, {}}});
  }
  Position position;
  Handler handler(position);
  const char* const begin = text.data();
  const CountingIterator first(begin, &position);
  const CountingIterator last(begin + text.size(), &position);
  nlohmann::json::sax_parse(first, last, &handler, nlohmann::json::input_format_t::json, true,
                            true);
  if (!handler.problems.empty()) throw base::BadInput(std::move(handler.problems));
  return std::move(handler.root);
}

}  // namespace carom::io
