#pragma once
// The device that must hold it.

#include <cstdint>
#include <string>

namespace plimsoll {

struct Hardware {
  std::string id;   ///< catalogue id
  std::string name; ///< as people write it
  std::string arch; ///< e.g. "Ada", "Hopper": decides library workspaces
  std::int64_t label_gb = 0;         ///< the number on the box, in the maker's own GB or GiB; 0 = not published
  std::int64_t nominal_bytes = 0;    ///< what that label means in bytes; 0 = not published
  std::int64_t usable_bytes = 0;     ///< what a process can allocate; > 0
  std::string usable_basis;          ///< whether usable_bytes is a reading or a rule
};

} // namespace plimsoll
