// One page and its simulation: hears what the page asks for, does it on a thread of its own, one
// thing after the other, and answers each with one message.
//
// Asked for, as JSON:
//   {"do": "open"}  {"do": "advance", "to": s}  {"do": "step"}  {"do": "event"}  {"do": "restart"}
//   {"do": "change", "at": s, "set": [["/json/pointer", "value"], …]}  {"do": "back", "at": s}
// What moves time on may have {"pull": {"body": number, "point": [m, m, m], "to": [m, m, m]}}
// (pull.h), which then draws the body until such a request has another, or none.
// Answers are the bytes of LiveSimulation, or {"error": …} as text. Nothing is sent unasked, so
// that a page that is slow waits for nothing but itself.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>

#include "live_simulation.h"
#include "web_server.h"

namespace carom::cli {

class LiveSession : public WebSocket {
 public:
  LiveSession(LiveSimulation::Source source, Send send);
  ~LiveSession() override;
  bool receive(std::string_view text) override;

 private:
  using Json = nlohmann::ordered_json;
  void work();
  void answer(const std::string& text);
  std::string act(LiveSimulation& simulation, const Json& request);
  bool is_waited_for();  // by a later request

  LiveSimulation::Source source_;
  Send send_;
  base::Watch watch_;
  std::mutex mutex_;
  std::condition_variable asked_;
  std::deque<Json> requests_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace carom::cli
