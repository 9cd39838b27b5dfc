#include "browser.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "carom/io/output_error.h"
#include "stop_request.h"

namespace carom::cli {

namespace {

using Json = nlohmann::json;
constexpr int kPatience = 120;  // s; for one answer

// Of the picture, in pixels.
constexpr int kWidth = 1280, kHeight = 720;

std::vector<std::string> command_of(const std::filesystem::path& folder) {
  std::vector<std::string> command = {find_browser(),
                                      "--headless=new",
                                      "--remote-debugging-pipe",
                                      "--user-data-dir=" + (folder / "profile").string(),
                                      "--no-first-run",
                                      "--disable-dev-shm-usage",
                                      "--hide-scrollbars",
                                      "--use-angle=swiftshader",
                                      "--enable-unsafe-swiftshader"};
  if (geteuid() == 0) command.emplace_back("--no-sandbox");  // which root cannot have
  command.emplace_back("about:blank");
  return command;
}

int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : 63;
}

std::string from_base64(const std::string& text) {
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    group = group << 6U | static_cast<std::uint32_t>(digit_of(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> static_cast<unsigned>(bits) & 0xFFU);
  }
  return bytes;
}

}  // namespace

std::string find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string program = folder.append(1, '/').append(name);
      if (access(program.c_str(), X_OK) == 0) return program;
    }
  }
  return {};
}

std::string find_browser() {
  return find_program({"chromium", "chromium-browser", "google-chrome"});
}

// The browser reads what it is asked as file 3, and writes what it answers to file 4.
Browser::Browser(const std::filesystem::path& page, const std::filesystem::path& output)
    : output_(output) {
  std::signal(SIGPIPE, SIG_IGN);  // a browser that dies is then an error that can be told
  process_.emplace(command_of(folder_.path()), folder_.path() / "said",
                   std::vector<GivenFile>{{to_.reading(), 3}, {from_.writing(), 4}});
  to_.close_reading();
  from_.close_writing();
  open(page);
}

void Browser::fail(const std::string& why) const {
  throw io::make_output_error(output_, "no picture: " + why);
}

void Browser::open(const std::filesystem::path& page) {
  const Json target = ask("Target.createTarget", {{"url", "about:blank"}})["targetId"];
  session_ = ask("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"];
  ask("Emulation.setDeviceMetricsOverride",
      {{"width", kWidth}, {"height", kHeight}, {"deviceScaleFactor", 1}, {"mobile", false}});
  ask("Page.navigate", {{"url", "file://" + page.string() + "#picture"}});
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(kPatience)) {
    const Json ready = evaluate("document.body ? document.body.dataset.ready || '' : ''");
    if (ready == "yes") return;
    if (ready == "failed") fail("the page could not show the run");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  fail("the page did not open");
}

// Messages end with a zero byte.
Json Browser::ask(const std::string& method, const Json& parameters) {
  Json question = {{"id", ++asked_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) question["sessionId"] = session_;
  const std::string text = question.dump();
  for (std::size_t sent = 0; sent < text.size() + 1;) {
    const ssize_t count = write(to_.writing(), text.c_str() + sent, text.size() + 1 - sent);
    if (count <= 0) fail("the browser has ended");
    sent += static_cast<std::size_t>(count);
  }
  for (;;) {
    const Json answer = Json::parse(read_message(), nullptr, false);
    if (!answer.is_object() || answer.value("id", 0) != asked_) continue;  // an event
    if (answer.contains("error")) fail(answer["error"].value("message", method));
    return answer["result"];
  }
}

std::string Browser::read_message() {
  for (std::size_t end = 0; (end = read_.find('\0')) == std::string::npos;) {
    if (heard_watch().stop) fail("stopped on request");
    pollfd ready{from_.reading(), POLLIN, 0};
    if (::poll(&ready, 1, 1000 * kPatience) <= 0) fail("the browser does not answer");
    std::array<char, 65536> bytes;
    const ssize_t count = read(from_.reading(), bytes.data(), bytes.size());
    if (count <= 0) fail("the browser has ended");
    read_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  const std::string message = read_.substr(0, read_.find('\0'));
  read_.erase(0, message.size() + 1);
  return message;
}

Json Browser::evaluate(const std::string& program) {
  const Json answer =
      ask("Runtime.evaluate",
          {{"expression", program}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) fail("the page's program failed");
  return answer["result"].value("value", Json());
}

std::string Browser::picture_after(const std::string& program, const std::string& format) {
  evaluate(program);
  Json how = {{"format", format}};
  if (format == "jpeg") how["quality"] = 92;
  return from_base64(ask("Page.captureScreenshot", how)["data"]);
}

}  // namespace carom::cli
