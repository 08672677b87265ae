// vllm/engine/arg_utils.py, human_readable_int: powers of 1024 in capitals. --cpu-offload-gb and --kv-offloading-size are binary gigabytes;
// SGLang's --hicache-size are whole thousand millions of bytes.
#include "files/commands/sizes.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/quantity.hpp"
#include "text/amount.hpp"
#include "text/significant.hpp"

namespace plimsoll::io::commands {

namespace {

constexpr std::int64_t kMebibyte = 1'048'576, kMebibytes = 1024, kGigabyte = 1'000'000'000;

} // namespace

std::optional<std::int64_t> stated_bytes(const Option& option, std::string_view text) {
  std::string amount{text};
  const auto ends_in = [&](std::string_view letters) { return !text.empty() && letters.find(text.back()) != std::string_view::npos; };
  if (option.reading == Reading::gibibytes) amount += "GiB";
  else if (option.reading == Reading::rank_gigabytes) amount += "GB";
  else if (ends_in("KMGT")) amount += "iB";
  else if (ends_in("kmgt")) amount += "B";
  const Amount bytes = amount_of(*find_field(option.field), amount);
  return bytes.value && *bytes.value >= 0 ? bytes.value : std::nullopt;
}

SizeText size_text(const Option& option, std::int64_t bytes, std::int64_t gpus) {
  if (option.reading == Reading::gibibytes) { // in binary megabytes at the finest
    const std::int64_t whole = ceil_div(Count{bytes}, Count{kMebibyte}).value;
    return {significant(static_cast<double>(whole) / kMebibytes, 15), whole * kMebibyte == bytes};
  }
  if (option.reading == Reading::rank_gigabytes) {
    const std::int64_t each = ceil_div(Count{bytes}, Count{gpus} * Count{kGigabyte}).value;
    return {std::to_string(each), (Count{each} * Count{gpus} * Count{kGigabyte}).value == bytes};
  }
  return {std::to_string(bytes), true};
}

} // namespace plimsoll::io::commands
