#include "web_server.h"

#include <civetweb.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "carom/io/output_error.h"

namespace carom::cli {

namespace {

constexpr int kMostSockets = 4;
constexpr std::size_t kLongestMessage = 65'536;  // bytes
constexpr const char* kSocketPath = "/live";

std::string make_token() {
  std::random_device random;  // the system's, which nobody can foresee
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
  return token;
}

// Takes as long whatever they share.
bool are_equal(std::string_view a, std::string_view b) {
  unsigned differences = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differences |= static_cast<unsigned>(a[i]) ^ static_cast<unsigned>(b[i]);
  return differences == 0;
}

std::vector<std::string_view> headers_named(const mg_request_info& request, std::string_view name) {
  std::vector<std::string_view> values;
  const std::span headers(request.http_headers, static_cast<std::size_t>(request.num_headers));
  for (const mg_header& header : headers)
    if (mg_strcasecmp(header.name, std::string(name).c_str()) == 0)
      values.emplace_back(header.value);
  return values;
}

void respond(mg_connection* connection, std::string_view status, std::string_view type,
             std::string_view body) {
  const std::string text = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: "
      "no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: "
      "no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n{}",
      status, type, body.size(), body);
  mg_write(connection, text.data(), text.size());
}

}  // namespace

struct WebServer::Listening {
  mg_context* context = nullptr;
  int port = 0;
  std::string token = make_token();
  std::string page;
  MakeSocket make_socket;
  std::atomic<int> sockets{0};

  ~Listening() { mg_stop(context); }

  // Why not, as a status; empty where the request is in order.
  std::string_view refuse(const mg_request_info& request) const;
  bool is_own(const std::vector<std::string_view>& values, std::string_view scheme) const;
  bool has_token(const mg_request_info& request) const;

  static Listening& of(const mg_connection* connection) {
    return *static_cast<Listening*>(mg_get_user_data(mg_get_context(connection)));
  }
  static int begin_request(mg_connection* connection);
  static int connect(const mg_connection* connection, void* self);
  static void ready(mg_connection* connection, void* self);
  static int receive(mg_connection* connection, int bits, char* data, std::size_t size, void*);
  static void close(const mg_connection* connection, void* self);
};

bool WebServer::Listening::is_own(const std::vector<std::string_view>& values,
                                  std::string_view scheme) const {
  if (values.size() != 1) return false;
  return std::ranges::any_of(std::array{"127.0.0.1", "localhost"}, [&](const char* host) {
    return values.front() == fmt::format("{}{}:{}", scheme, host, port);
  });
}

bool WebServer::Listening::has_token(const mg_request_info& request) const {
  std::array<char, 128> given{};
  const std::string query = request.query_string == nullptr ? "" : request.query_string;
  const int length = mg_get_var(query.data(), query.size(), "token", given.data(), given.size());
  return length >= 0 &&
         are_equal(std::string_view(given.data(), static_cast<std::size_t>(length)), token);
}

std::string_view WebServer::Listening::refuse(const mg_request_info& request) const {
  const std::string_view path = request.local_uri == nullptr ? "" : request.local_uri;
  const bool is_socket = path == kSocketPath && make_socket;
  const auto origins = headers_named(request, "Origin");
  if (!is_own(headers_named(request, "Host"), "")) return "403 Another host was asked for";
  if ((is_socket || !origins.empty()) && !is_own(origins, "http://"))
    return "403 Asked from another page";
  if (!has_token(request)) return "403 The address lacks the token that carom printed";
  if (path != "/" && !is_socket) return "404 There is only one page";
  if (std::string_view(request.request_method) != "GET") return "405 Only GET is understood";
  return {};
}

int WebServer::Listening::begin_request(mg_connection* connection) {
  const Listening& self = of(connection);
  const mg_request_info& request = *mg_get_request_info(connection);
  const std::string_view why = self.refuse(request);
  if (!why.empty()) {
    respond(connection, why, "text/plain", why.substr(4));
    return 1;
  }
  if (std::string_view(request.local_uri) == kSocketPath) {
    if (!headers_named(request, "Upgrade").empty()) return 0;  // on to the socket's handlers
    respond(connection, "426 A WebSocket is here", "text/plain", "A WebSocket is here");
    return 1;
  }
  respond(connection, "200 OK", "text/html", self.page);
  return 1;
}

int WebServer::Listening::connect(const mg_connection* /*connection*/, void* self) {
  auto& sockets = static_cast<Listening*>(self)->sockets;
  if (++sockets <= kMostSockets) return 0;
  --sockets;
  return 1;
}

void WebServer::Listening::ready(mg_connection* connection, void* self) {
  const auto send = [connection](const std::string& message, Frame frame) {
    const int kind = frame == Frame::Text ? MG_WEBSOCKET_OPCODE_TEXT : MG_WEBSOCKET_OPCODE_BINARY;
    return mg_websocket_write(connection, kind, message.data(), message.size()) > 0;
  };
  mg_set_user_connection_data(connection,
                              static_cast<Listening*>(self)->make_socket(send).release());
}

int WebServer::Listening::receive(mg_connection* connection, int bits, char* data, std::size_t size,
                                  void* /*self*/) {
  constexpr int kWholeText = 0x80 | MG_WEBSOCKET_OPCODE_TEXT;
  const int opcode = bits & 0x0f;
  if (opcode == MG_WEBSOCKET_OPCODE_PING || opcode == MG_WEBSOCKET_OPCODE_PONG) return 1;
  auto* socket = static_cast<WebSocket*>(mg_get_user_connection_data(connection));
  if (socket == nullptr || bits != kWholeText || size > kLongestMessage) return 0;
  return socket->receive({data, size}) ? 1 : 0;
}

void WebServer::Listening::close(const mg_connection* connection, void* self) {
  const std::unique_ptr<WebSocket> socket(
      static_cast<WebSocket*>(mg_get_user_connection_data(connection)));
  --static_cast<Listening*>(self)->sockets;
}

WebServer::WebServer(int port, const MakePage& make_page, MakeSocket make_socket)
    : listening_(std::make_unique<Listening>()) {
  Listening& to = *listening_;
  to.make_socket = std::move(make_socket);
  const std::string where = fmt::format("127.0.0.1:{}", port);
  const std::array<const char*, 15> options = {"listening_ports",
                                               where.c_str(),
                                               "num_threads",
                                               "12",
                                               "request_timeout_ms",
                                               "10000",
                                               "websocket_timeout_ms",
                                               "10000",
                                               "enable_websocket_ping_pong",
                                               "yes",
                                               "enable_directory_listing",
                                               "no",
                                               "tcp_nodelay",
                                               "1",
                                               nullptr};
  mg_callbacks callbacks{};
  callbacks.begin_request = &Listening::begin_request;
  callbacks.log_message = [](const mg_connection*, const char*) { return 1; };
  mg_init_library(MG_FEATURES_WEBSOCKET);
  to.context = mg_start(&callbacks, &to, const_cast<const char**>(options.data()));
  mg_server_port listening{};
  if (to.context == nullptr || mg_get_server_ports(to.context, 1, &listening) != 1)
    throw io::OutputError(
        fmt::format("cannot listen on {}: the port is in use, or not allowed", where));
  to.port = listening.port;
  to.page = make_page(fmt::format("ws://127.0.0.1:{}{}", to.port, kSocketPath));
  if (to.make_socket)
    mg_set_websocket_handler(to.context, kSocketPath, &Listening::connect, &Listening::ready,
                             &Listening::receive, &Listening::close, &to);
}

WebServer::~WebServer() = default;

std::string WebServer::address() const {
  return fmt::format("http://127.0.0.1:{}/?token={}", listening_->port, listening_->token);
}

}  // namespace carom::cli
