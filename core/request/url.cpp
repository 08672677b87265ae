// application/x-www-form-urlencoded, as browsers write queries (WHATWG URL standard, section 5).
#include "plimsoll/request/request.hpp"

#include "request/entry_limit.hpp"

namespace plimsoll::io {

namespace {

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// A '%' that no two hexadecimal digits follow stands for itself, as in browsers.
std::string decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '+') {
      decoded += ' ';
    } else if (c == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      decoded += c;
    }
  }
  return decoded;
}

bool stands_for_itself(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.' ||
         c == '*' || c == '/' || c == ':';
}

std::string encode(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (stands_for_itself(c)) {
      encoded += c;
    } else if (c == ' ') {
      encoded += '+';
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return encoded;
}

} // namespace

Request request_from_query(std::string_view query, Issues& issues) {
  constexpr std::size_t kMostBytes = 1 << 20; // browsers and servers stop long before
  Request request;
  if (query.size() > kMostBytes) {
    issues.push_back({Severity::error, "", "The query is longer than 1 MiB.", "Give the inputs as key=value pairs joined by '&'."});
    return request;
  }
  if (!query.empty() && (query.front() == '?' || query.front() == '#')) query.remove_prefix(1);
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view{} : query.substr(end + 1);
    if (pair.empty()) continue;
    if (is_full(request, "query", issues)) break;
    const std::size_t equals = pair.find('=');
    const std::string name = decode(pair.substr(0, equals));
    const std::string text = equals == std::string_view::npos ? "" : decode(pair.substr(equals + 1));
    if (const std::string* earlier = request.find(name); earlier != nullptr && *earlier != text)
      issues.push_back({Severity::warning, name, "'" + name + "' stands twice in the query; the last value counts.", "Keep one of them."});
    request.set(name, text);
  }
  return request;
}

std::string to_query(const Request& request) {
  std::string query;
  for (const Entry& entry : request.entries()) {
    if (!query.empty()) query += '&';
    query += encode(entry.name) + "=" + encode(entry.text);
  }
  return query;
}

} // namespace plimsoll::io
