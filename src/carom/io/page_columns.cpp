#include "carom/io/page_columns.h"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "carom/base/check.h"

namespace carom::io {

static_assert(std::endian::native == std::endian::little, "the page's numbers have this order");

namespace {

using Json = nlohmann::ordered_json;

std::string deflate(const std::string& bytes) {
  constexpr int kLevel = 6;  // 9 takes thrice as long for a hundredth less
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kLevel);
  base::check(status == Z_OK, "memory that compressBound asked for is enough");
  packed.resize(size);
  return packed;
}

std::string to_base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kDigits[group >> (18U - 6U * k) & 63U] : '=';
  }
  return text;
}

std::uint32_t to_multiple(float value, double quantum) {
  return static_cast<std::uint32_t>(std::lround(static_cast<double>(value) / quantum));
}

// 0, -1, 1, -2, … become 0, 1, 2, 3, …
std::int32_t with_sign_last(std::uint32_t value) {
  return std::bit_cast<std::int32_t>(value << 1U ^ (value >> 31U != 0 ? ~0U : 0U));
}

// In place, modulo 2^32, from the end of the row; before its first number stand zeros.
void take_differences(std::span<std::uint32_t> row) {
  for (std::size_t i = row.size(); i-- > 1;) row[i] -= row[i - 1];
}

}  // namespace

template <typename T>
void PageColumns::add_split(std::string_view name, std::string_view type,
                            std::span<const T> values) {
  columns_.push_back({std::string(name), std::string(type), values.size()});
  const auto* raw = reinterpret_cast<const char*>(values.data());
  for (std::size_t byte = 0; byte < sizeof(T); ++byte)
    for (std::size_t i = 0; i < values.size(); ++i) bytes_ += raw[i * sizeof(T) + byte];
}

void PageColumns::add(std::string_view name, std::span<const double> values) {
  add_split(name, "f64", values);
}
void PageColumns::add(std::string_view name, std::span<const float> values) {
  add_split(name, "f32", values);
}
void PageColumns::add(std::string_view name, std::span<const std::int32_t> values) {
  add_split(name, "i32", values);
}

void PageColumns::add(std::string_view name, std::span<const float> values, const Series& series) {
  std::vector<std::uint32_t> row(series.length);
  std::vector<std::int32_t> kept;
  kept.reserve(values.size());
  for (std::size_t first = 0; first < values.size(); first += series.length) {
    for (std::size_t i = 0; i < series.length; ++i)
      row[i] = to_multiple(values[first + i], series.quantum);
    for (int order = 0; order < series.order; ++order) take_differences(row);
    for (const std::uint32_t value : row) kept.push_back(with_sign_last(value));
  }
  add(name, kept);
}

std::string PageColumns::to_bytes(const std::string& header) const {
  Json json = Json::parse(header);
  for (const auto& [name, type, length] : columns_) json["columns"].push_back({name, type, length});
  const std::string text = json.dump();
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  bytes += text;
  bytes += bytes_;
  return bytes;
}

std::string to_text(const std::string& bytes) { return to_base64(deflate(bytes)); }

}  // namespace carom::io
