#pragma once
// Which devices run a question, how many of them it takes, how fast they are and what they cost: one row for every device of the catalogue.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/catalog/prices.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct DeviceChoice {
  std::string id, name;
  bool is_asked = false;      ///< the question's own
  bool is_possible = false;   ///< false: engine, format or layout do not go with it
  bool holds = false;
  std::string reason;         ///< why it is not possible; "" otherwise
  Count gpus{1};              ///< the fewest tried that hold it, or the most tried
  Bytes needs, usable;        ///< of the fullest GPU
  Bytes headroom;             ///< of its process; negative: it is over by so much
  std::int64_t token_rate = 0;       ///< thousandths of a token per second, of all GPUs: generated, or trained on; 0 = not known
  std::optional<Money> hourly;       ///< of all GPUs, by the cheapest offer on demand; nothing where nobody lists one
  std::optional<Money> per_million;  ///< tokens at that rate and price
  std::string query;          ///< the question on it; "" where it is not possible
};

enum class DeviceOrder : unsigned char { cheapest, fastest, roomiest };
inline constexpr std::size_t kDeviceOrders = 3;
std::string_view name_of(DeviceOrder order) noexcept;

/// The rows in steps. Every device is tried with the GPUs of the question, and where it does not hold it with two, four and eight times as
/// many, as far as its node goes, divided as edit_gpus() does; what the question says of the former device (its usable memory) is taken
/// back. `catalog` and `prices` must outlive it; `asked` is ok. Never throws.
class DevicesSession {
public:
  DevicesSession(const Catalog& catalog, const Prices& prices, const Answer& asked, std::string_view today);
  /// One device with one number of GPUs more. False when all is done.
  bool advance();
  /// Devices that are done, in the order of the catalogue.
  const std::vector<DeviceChoice>& choices() const noexcept { return choices_; }
  std::size_t of() const noexcept { return catalog_->devices().size(); }

private:
  const Catalog* catalog_;
  const Prices* prices_;
  Request request_;
  std::string asked_, today_;
  std::int64_t gpus_ = 1, times_ = 1;
  std::size_t next_ = 0;
  std::vector<DeviceChoice> choices_;
};

/// Those that hold it first, then in that order; what has no price or no known speed comes last among its like.
void sort_choices(std::vector<DeviceChoice>& choices, DeviceOrder order);

} // namespace plimsoll::io
