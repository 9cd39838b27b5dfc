#include "carom/io/output_file.h"

#include <cerrno>
#include <utility>

#include "carom/io/output_error.h"

namespace carom::io {

namespace fs = std::filesystem;

namespace {

bool is_device(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

fs::path working_name(const fs::path& own, Writing writing) {
  std::error_code ignored;
  const bool grows_there = writing == Writing::Growing && !fs::exists(own, ignored);
  return is_device(own) || grows_there ? own : fs::path(own.native() + kPartial);
}

}  // namespace

fs::path follow_links(const fs::path& path) {
  constexpr int kMostLinks = 40;  // as Linux follows
  std::error_code error;
  fs::path file = path;
  for (int links = 0; links < kMostLinks && fs::is_symlink(file, error); ++links) {
    const fs::path target = fs::read_symlink(file, error);
    file = target.is_absolute() ? target : file.parent_path() / target;
  }
  const fs::path absolute = fs::absolute(file, error);
  const fs::path canonical = fs::weakly_canonical(absolute, error);
  return error ? absolute : canonical;
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  if (is_device(a) || is_device(b)) return false;
  std::error_code error;
  return follow_links(a) == follow_links(b) || fs::equivalent(a, b, error);
}

OutputPlace::OutputPlace(const fs::path& path, Writing writing)
    : own_(follow_links(path)), working_(working_name(own_, writing)) {
  std::error_code ignored;
  if (fs::is_directory(own_, ignored)) throw make_output_error(path, EISDIR);
}

void OutputPlace::publish() {
  if (is_published()) return;
  std::error_code error;
  fs::rename(working_, own_, error);
  if (error) throw make_output_error(own_, error.value());
  working_ = own_;
}

TextFile::TextFile(fs::path path, Writing writing)
    : path_(std::move(path)),
      writing_(writing),
      place_(path_, writing),
      file_(std::fopen(place_.working().c_str(), "w")) {
  if (file_ == nullptr) throw make_output_error(path_, errno);
}

TextFile::~TextFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::error_code ignored;
  if (writing_ == Writing::AtOnce && !place_.is_published()) fs::remove(place_.working(), ignored);
}

void TextFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size())
    throw make_output_error(path_, errno);
}

void TextFile::flush() {
  if (std::fflush(file_) != 0) throw make_output_error(path_, errno);
}

void TextFile::close() {
  if (file_ == nullptr) return;
  flush();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) throw make_output_error(path_, errno);
  place_.publish();
}

void write_file(const fs::path& path, std::string_view text) {
  TextFile file(path, Writing::AtOnce);
  file.write(text);
  file.close();
}

void check_writable(const fs::path& path) { const TextFile probe(path, Writing::AtOnce); }

}  // namespace carom::io
