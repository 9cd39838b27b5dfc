// One page and its WebSocket, served by civetweb on the loopback interface alone, to whoever has
// the token that stands in the address: at / the page, at /live the socket, and nothing else.
// Refused are other hosts (a name that someone else's DNS gave to this machine), other origins,
// other methods, more sockets than a few, and messages that are binary, in pieces or too long.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace carom::cli {

enum class Frame { Text, Binary };

// What a socket talks to. Its calls come one at a time; it is destroyed when the socket is closed.
class WebSocket {
 public:
  // From any thread; false where the other side is gone or too slow.
  using Send = std::function<bool(const std::string& message, Frame frame)>;

  WebSocket() = default;
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;
  virtual ~WebSocket() = default;
  virtual bool receive(std::string_view text) = 0;  // false closes the socket
};

class WebServer {
 public:
  using MakePage = std::function<std::string(const std::string& socket_address)>;
  using MakeSocket = std::function<std::unique_ptr<WebSocket>(WebSocket::Send send)>;

  // Port 0: a free one. Throws io::OutputError where it cannot listen. Without make_socket there is
  // only the page.
  WebServer(int port, const MakePage& make_page, MakeSocket make_socket);
  ~WebServer();

  std::string address() const;  // of the page, with the token

 private:
  struct Listening;
  std::unique_ptr<Listening> listening_;
};

}  // namespace carom::cli
