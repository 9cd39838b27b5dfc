#include "live_session.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "carom/base/diagnostics.h"

namespace carom::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRequests = 64;  // that wait; a page has one or two

[[noreturn]] void refuse(const std::string& found, const std::string& expected) {
  throw base::BadInput({{.place = "request", .found = found, .expected = expected}});
}

std::vector<io::Override> read_values(const Json& list) {
  std::vector<io::Override> values;
  for (const Json& pair : list) {
    const auto pointer = pair.at(0).get<std::string>();
    if (!pointer.starts_with('/')) {
      throw base::BadInput({{.place = "value of the scene",
                             .found = '"' + pointer + '"',
                             .expected = "a JSON pointer, such as /bodies/1/mass"}});
    }
    values.push_back({pointer, pair.at(1).get<std::string>()});
  }
  return values;
}

Vec3 read_vector(const Json& list) {
  const auto v = list.get<std::array<double, 3>>();
  return {v[0], v[1], v[2]};
}

std::optional<Pull> read_pull(const Json& request) {
  const auto found = request.find("pull");
  if (found == request.end()) return {};
  return Pull{id_of<BodyId>(found->at("body").get<std::size_t>()), read_vector(found->at("point")),
              read_vector(found->at("to"))};
}

// What is under way need not be waited for.
bool makes_way(const Json& request) {
  const Json what = request.value("do", Json());
  return what == "change" || what == "restart";
}

}  // namespace

LiveSession::LiveSession(LiveSimulation::Source source, Send send)
    : source_(std::move(source)), send_(std::move(send)), thread_([this] { work(); }) {}

LiveSession::~LiveSession() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    watch_.stop = true;
  }
  asked_.notify_all();
  thread_.join();
}

bool LiveSession::receive(std::string_view text) {
  Json request = Json::parse(text, nullptr, false);
  if (!request.is_object()) return false;
  const std::lock_guard lock(mutex_);
  if (requests_.size() >= kMostRequests) return false;
  if (makes_way(request)) watch_.stop = true;
  requests_.push_back(std::move(request));
  asked_.notify_all();
  return true;
}

bool LiveSession::is_waited_for() {
  const std::lock_guard lock(mutex_);
  return end_ || !requests_.empty();
}

void LiveSession::answer(const std::string& text) {
  send_(Json{{"error", text}}.dump(-1, ' ', false, Json::error_handler_t::replace), Frame::Text);
}

void LiveSession::work() {
  std::optional<LiveSimulation> simulation;
  for (;;) {
    Json request;
    {
      std::unique_lock lock(mutex_);
      asked_.wait(lock, [this] { return end_ || !requests_.empty(); });
      if (end_) return;
      request = std::move(requests_.front());
      requests_.pop_front();
      watch_.stop = std::ranges::any_of(requests_, makes_way);
    }
    try {
      if (!simulation) simulation.emplace(source_, watch_);
      send_(act(*simulation, request), Frame::Binary);
    } catch (const base::BadInput& bad) {
      answer(bad.what());
    } catch (const base::Stopped&) {
      answer("stopped on request");
    } catch (const Json::exception&) {
      answer("a request that is not understood: " + request.dump().substr(0, 200));
    } catch (const std::exception& error) {
      answer(std::string("internal error, please report it: ") + error.what());
    }
  }
}

std::string LiveSession::act(LiveSimulation& simulation, const Json& request) {
  const auto what = request.at("do").get<std::string>();
  if (what == "open") return simulation.open();
  if (what == "back") return simulation.back(request.at("at").get<double>());
  if (what == "advance" || what == "step" || what == "event") simulation.pull(read_pull(request));
  if (what == "advance")
    return simulation.advance(request.at("to").get<double>(), [this] { return is_waited_for(); });
  if (what == "step") return simulation.step();
  if (what == "event") return simulation.advance_to_next_event();
  if (what == "restart") return simulation.restart();
  if (what == "change")
    return simulation.change(request.at("at").get<double>(), read_values(request.at("set")));
  refuse('"' + what + '"', "open, advance, step, event, back, restart or change");
}

}  // namespace carom::cli
