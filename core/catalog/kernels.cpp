#include "catalog/kernels.hpp"

#include "catalog/profile_data.hpp"
#include "embedded/kernels.hpp"
#include "method/kernels/shape.hpp"
#include "text/compiled_value.hpp"
#include "text/significant.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace plimsoll::io {

namespace {

// In the order of the enumeration in kernels.hpp.
constexpr std::array<std::string_view, kKernels> kKernelIds{"matrices",         "prompt_attention", "decode_attention",  "prompt_latent",     "decode_latent", "experts",
                                                            "recurrence_prompt", "recurrence_decode", "all_reduce", "all_gather", "reduce_scatter", "all_to_all"};

KernelClass kernel_class(const Json& row) {
  return {.id = row.at("id").text(),
          .archs = row.at("archs").get<std::vector<std::string>>(),
          .least_memory_rate = row.value("least_memory_bytes_per_s", std::int64_t{0}),
          .unit_flop = row.at("unit_flop_per_s").get<double>(),
          .cache = row.value("cache_bytes", 0.0),
          .sustained = row.value("sustained", 1.0),
          .graphs = row.value("graphs", true),
          .like = row.value("like", std::vector<std::string>{})};
}

KernelRow kernel_row(const Json& row) {
  const auto kernel = std::ranges::find(kKernelIds, row.at("kernel").text());
  if (kernel == kKernelIds.end()) throw std::runtime_error("kernels: there is no kernel " + row.at("kernel").text());
  KernelRow made{.kernel = static_cast<Kernel>(kernel - kKernelIds.begin()),
                 .device_class = row.at("class").text(),
                 .format = row.at("format").text(),
                 .source = row.at("source").text(),
                 .engine = row.at("engine").text(),
                 .serves = row.value("serves", true),
                 .numbers = {},
                 .tiles = {},
                 .rows = row.at("rows").get<std::int64_t>(),
                 .median = row.at("median_permille").get<std::int64_t>(),
                 .p90 = row.at("p90_permille").get<std::int64_t>()};
  std::size_t at = 0;
  for (const Json& number : row.at("numbers")) made.numbers.at(at++) = number.get<double>();
  if (at != kernels::numbers_of(made.kernel)) throw std::runtime_error("kernels: " + made.source + " has " + std::to_string(at) + " numbers");
  if (const auto tiles = row.find("tiles"); tiles != row.end())
    made.tiles = {tiles->at(0).get<double>(), tiles->at(1).get<double>(), tiles->at(2).get<double>(), tiles->at(3).get<double>(), tiles->at(4).get<double>()};
  return made;
}

KernelTable read_kernels() {
  const Json data = read_compiled(data::kernels::file("kernels.json"));
  KernelTable table;
  for (const Json& row : data.at("classes")) table.classes.push_back(kernel_class(row));
  for (const Json& row : data.at("rows")) table.rows.push_back(kernel_row(row));
  return table;
}

std::map<std::string, ServingTimes, std::less<>> read_engines() {
  std::map<std::string, ServingTimes, std::less<>> engines;
  const Json& file = profile_data("serving.json");
  for (const Json& name : file.at("profiles")) {
    const Json& row = file.at("engines").at(name.text());
    const auto number = [&](const char* key) { return row.at(key).get<double>(); };
    ServingTimes times{.kernels = row.value("measured", true) ? kernel_table : nullptr, .engine = name.text(), .step = {}, .scheduling = {}, .first_low = row.at("first_low").get<std::int64_t>(), .first_high = row.at("first_high").get<std::int64_t>(), .own_kernels = {}, .other_kernels = {}, .engine_part = {}, .other_low = 0, .other_high = 0};
    times.step = {.step = number("step"), .sequence = number("sequence"), .layer = number("layer"), .token_bytes = number("token_bytes"), .prompt_layer = number("prompt_layer"),
                  .prompt = number("prompt"), .request = number("request"), .token = number("token"),
                  .logprobs_step = row.value("logprobs_step", 0.0), .logprobs_sequence = row.value("logprobs_sequence", 0.0), .kernels = number("kernels"), .beside = number("beside"), .imbalance = number("imbalance")};
    times.scheduling = {.mixes = row.at("mixes").get<bool>(), .pass_tokens = row.value("pass_tokens", std::int64_t{0}), .sequences = row.value("sequences", std::int64_t{0}), .chunks = row.at("chunks").get<bool>(), .slots = row.value("slots", false), .ahead = row.at("ahead").get<bool>()};
    times.own_kernels = {.value = 1000, .low = row.at("low").get<std::int64_t>(), .high = row.at("high").get<std::int64_t>(), .citation = file.at("kernels_citation").text(), .basis = Basis::measured};
    times.other_kernels = times.engine_part = times.own_kernels;
    times.other_low = file.at("other_class").at("low").get<std::int64_t>();
    times.other_high = file.at("other_class").at("high").get<std::int64_t>();
    times.other_kernels.low = times.own_kernels.low * times.other_low / 1000;
    times.other_kernels.high = times.own_kernels.high * times.other_high / 1000;
    times.other_kernels.basis = Basis::assumed;
    times.engine_part.citation = file.at("citation").text();
    engines.emplace(name.text(), std::move(times));
  }
  return engines;
}

/// Four digits: more are not in the measurements.
std::string four_digits(double number) {
  return number < 1e-6 ? "0" : significant(number, 4);
}

} // namespace

const KernelTable& kernel_table() {
  static const KernelTable kTable = read_kernels();
  return kTable;
}

const ServingTimes* serving_times(std::string_view profile) {
  static const std::map<std::string, ServingTimes, std::less<>> kEngines = read_engines();
  const Json& profiles = profile_data("serving.json").at("profiles");
  const auto engine = profiles.find(std::string{profile});
  if (engine == profiles.end()) return nullptr;
  const auto at = kEngines.find(engine->text());
  return at == kEngines.end() ? nullptr : &at->second;
}

std::string_view kernel_id(Kernel kernel) noexcept { return kKernelIds[static_cast<std::size_t>(kernel)]; }

std::string kernel_row_text(const KernelRow& row) {
  std::string numbers, tiles;
  for (std::size_t i = 0; i < kernels::numbers_of(row.kernel); ++i) numbers += (i == 0 ? "" : ", ") + four_digits(row.numbers[i]);
  if (row.kernel == Kernel::matrices || row.kernel == Kernel::experts)
    for (const double side : {row.tiles.least_rows, row.tiles.most_rows, row.tiles.least_columns, row.tiles.most_columns, row.tiles.most_split})
      tiles += (tiles.empty() ? "" : ", ") + four_digits(side);
  return "{\"kernel\": \"" + std::string{kernel_id(row.kernel)} + "\", \"class\": \"" + row.device_class + "\", \"format\": \"" + row.format + "\", \"source\": \"" + row.source +
         "\", \"engine\": \"" + row.engine + "\", " + (row.serves ? "" : "\"serves\": false, ") + "\"numbers\": [" + numbers + "], " + (tiles.empty() ? "" : "\"tiles\": [" + tiles + "], ") +
         "\"rows\": " + std::to_string(row.rows) + ", \"median_permille\": " + std::to_string(row.median) + ", \"p90_permille\": " + std::to_string(row.p90) + "}";
}

} // namespace plimsoll::io
