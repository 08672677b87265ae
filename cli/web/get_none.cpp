#include "web/get.hpp"

namespace plimsoll::cli {

WebAnswer get(const WebQuestion&) {
  return {.failure = "cannot be fetched: this program was built without the header of libcurl", .status = 0, .etag = {}, .size = 0, .bytes = {}};
}

} // namespace plimsoll::cli
