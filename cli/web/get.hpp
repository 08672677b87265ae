#pragma once
// A part of what stands at an address. How it is fetched is chosen by CMake: by libcurl where its header is there, or not at all.

#include <cstdint>
#include <string>

namespace plimsoll::cli {

struct WebQuestion {
  std::string url;
  std::string token;      ///< sent to the host of `url` alone, not to those it points on to; "" for none
  std::string known_etag; ///< what is had already: answered with status 304 where it is the same; "" for none
  std::uint64_t first = 0, count = 0; ///< bytes
  long patience_s = 10;   ///< for a connection, and for each pause
};

struct WebAnswer {
  std::string failure;    ///< why there is no answer, as a clause: "took longer than 10 s"; "" where there is one
  long status = 0;        ///< of HTTP
  std::string etag;       ///< "" where the server tells none
  std::uint64_t size = 0; ///< of the whole file; 0 where the server does not tell
  std::string bytes;      ///< from `first` on, at most `count`
};

/// Follows where the server points on to. Never throws.
WebAnswer get(const WebQuestion& question);

} // namespace plimsoll::cli
