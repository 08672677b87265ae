#include "plimsoll/answer/gpus.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/sharding.hpp"
#include "request/meaning.hpp"
#include "text/json.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kMostInAll = 1'000'000;
constexpr std::array<std::string_view, 3> kWithinReplica{"tensor_parallel", "pipeline_parallel", "context_parallel"};

constexpr Field kGpus{.name = "gpus",
                      .topic = Topic::parallel,
                      .kind = FieldKind::integer,
                      .label = "GPUs in all",
                      .unit = "GPUs",
                      .help = "GPUs that work together. The engine or framework divides them as it does by itself; the degrees below say how, and may be stated instead.",
                      .min = 1,
                      .max = kMostInAll,
                      .defaults = {1, 1, 1}};

bool trains(const Request& request) {
  const std::string* const text = request.find("task");
  Issues told_later;
  const std::optional<std::int64_t> task = text != nullptr ? parse_value(*find_field("task"), *text, told_later) : std::nullopt;
  return task && plimsoll::trains(static_cast<Task>(*task));
}

class Divider {
public:
  Divider(const Catalog& catalog, Request& request, Issues& issues) : catalog_(catalog), request_(request), issues_(issues) {}

  void divide() {
    const std::string text = *request_.find("gpus");
    request_.erase("gpus");
    Issues bad;
    const std::optional<std::int64_t> gpus = parse_value(*find_field("data_parallel"), text, bad);
    if (!gpus || *gpus < 1 || *gpus > kMostInAll) return refuse("gpus is " + quoted(std::string_view{text}) + ".", "Write a whole number of GPUs from 1 to 1,000,000.");
    std::int64_t within = 1;
    bool any = false;
    for (const std::string_view name : kWithinReplica)
      if (const std::optional<std::int64_t> degree = stated(name)) within *= *degree, any = true;
    const std::optional<std::int64_t> replicas = stated("data_parallel");
    if (replicas && *replicas * within == *gpus) return;
    if (replicas || *gpus % within != 0)
      return refuse(text + " GPUs are asked for, and the degrees of parallelism that are stated make " + std::to_string(within * replicas.value_or(1)) + (replicas ? "." : " of each replica."),
                    "Change gpus or the degrees, so that they agree.");
    if (trains(request_) || any) return set({{"data_parallel", *gpus / within}}, text);
    spread(*gpus, text);
  }

private:
  [[gnu::cold]] void refuse(std::string message, std::string remedy) { issues_.push_back({Severity::error, "gpus", std::move(message), std::move(remedy)}); }

  std::optional<std::int64_t> stated(std::string_view name) const {
    const std::string* const text = request_.find(name);
    Issues told_later;
    const std::optional<std::int64_t> value = text != nullptr ? parse_value(*find_field(name), *text, told_later) : std::nullopt;
    return value && *value > 0 && *value <= kMostInAll ? value : std::nullopt;
  }

  void spread(std::int64_t gpus, const std::string& text) {
    const std::string* const device = request_.find("device");
    const DeviceRow* const row = catalog_.find_device(device != nullptr ? *device : kDefaultDevice);
    if (row == nullptr) return; // told by who reads the device
    const std::string* const id = request_.find("profile");
    const std::shared_ptr<const Profile> profile = catalog_.profile(id != nullptr ? lower_case(*id) : std::string{catalog_.default_profile(false)}, row->hardware.arch);
    const bool by_layers = profile && profile->inference.offloads_layers;
    const std::int64_t in_node = std::max<std::int64_t>(row->hardware.gpus_per_node, 1), tensors = by_layers ? 1 : std::min(gpus, in_node);
    if (gpus % tensors != 0) return refuse(text + " GPUs are not whole nodes of " + std::to_string(in_node) + ".", "State tensor_parallel, pipeline_parallel and data_parallel.");
    set({{"tensor_parallel", tensors}, {"pipeline_parallel", gpus / tensors}}, text);
  }

  void set(std::initializer_list<std::pair<std::string_view, std::int64_t>> degrees, const std::string& text) {
    std::string told;
    for (const auto& [name, degree] : degrees) {
      if (degree == 1) continue;
      request_.set(name, std::to_string(degree));
      told += (told.empty() ? "" : " and ") + std::string{name} + "=" + std::to_string(degree);
    }
    if (!told.empty())
      issues_.push_back({Severity::note, "gpus", text + " GPUs are divided by " + told + ".", "State tensor_parallel, pipeline_parallel and data_parallel to divide them otherwise; `plimsoll plan` finds the best."});
  }

  const Catalog& catalog_;
  Request& request_;
  Issues& issues_;
};

/// The request with so many GPUs and none of the degrees `without`, divided; nothing where they cannot be.
std::optional<Request> divided(const Catalog& catalog, Request request, std::string_view gpus, std::span<const std::string_view> without) {
  for (const std::string_view name : without) request.erase(name);
  request.erase("data_parallel");
  request.set("gpus", gpus);
  Issues issues;
  divide_gpus(catalog, request, issues);
  return has_errors(issues) ? std::nullopt : std::optional{std::move(request)};
}

} // namespace

const Field& gpus_field() noexcept { return kGpus; }

FieldState gpus_state(const Request& typed, const Answer& answer) {
  const std::string* const text = typed.find(kGpus.name);
  return {.field = &kGpus, .text = text != nullptr ? *text : std::to_string(gpu_count(answer.inputs.strategy).value), .default_text = "1"};
}

void edit_gpus(const Catalog& catalog, Request& request, std::string_view text) {
  Issues told_later;
  const Request meant = as_meant(catalog, request, told_later);
  // The first digit of a number that is being typed must not take stated degrees away.
  const std::span<const std::string_view> without = trains(meant) ? std::span<const std::string_view>{} : kWithinReplica;
  if (std::optional<Request> found = divided(catalog, meant, text, without)) request = std::move(*found);
  else request.set(kGpus.name, text);
}

void divide_gpus(const Catalog& catalog, Request& request, Issues& issues) {
  if (request.find("gpus") != nullptr) Divider{catalog, request, issues}.divide();
}

} // namespace plimsoll::io
