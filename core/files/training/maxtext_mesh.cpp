// AI-Hypercomputer/maxtext, src/maxtext/configs/base.yml, mesh_axes and logical_axis_rules: sequences are divided by data, fsdp, fsdp_transpose and
// expert, tokens of a sequence by context; weights by both fsdp axes, context and, but for those of experts, expert; heads, MLPs and the width of
// activations by tensor and tensor_sequence. One axis of each kind may be -1: what is left of the devices.
#include "files/training/maxtext_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io::configs {

namespace {

enum Axis : std::size_t { data, fsdp, fsdp_transpose, context, tensor, tensor_sequence, expert, kAxes };
constexpr std::array<std::string_view, kAxes> kNames{"data", "fsdp", "fsdp_transpose", "context", "tensor", "tensor_sequence", "expert"};
constexpr std::array<std::string_view, 6> kOthers{"diloco", "sequence", "context_usp_ulysses", "context_autoregressive", "pipeline", "autoregressive"};
constexpr std::int64_t kOpen = -1, kMost = std::int64_t{1} << 24;

struct Side {
  std::array<std::int64_t, kAxes> axes;

  std::int64_t known() const {
    std::int64_t product = 1;
    for (const std::int64_t axis : axes) product = axis == kOpen ? product : std::min(product * axis, kMost);
    return product;
  }
  std::int64_t* open() {
    const auto at = std::ranges::find(axes, kOpen);
    return at == axes.end() ? nullptr : &*at;
  }
};

/// src/maxtext/utils/accelerator_to_spec_map.py: names of v4 and v5p count cores, of which a chip, one device, has two. tpu7x is left out: a chip of it
/// is two devices.
struct Slice {
  std::string_view name, device;
  std::int64_t cores; ///< that the name counts of a device
};
constexpr std::array kSlices{Slice{"v4-", "tpu-v4", 2}, Slice{"v5e-", "tpu-v5e", 1}, Slice{"v5p-", "tpu-v5p", 2}, Slice{"v6e-", "tpu-v6e", 1}};

class Mesh {
public:
  Mesh(Document& document, RequestBuilder& draft) : document_(document), draft_(draft) {}

  void run() {
    read_topology();
    ici_ = side("ici_", fsdp), dcn_ = side("dcn_", data);
    for (const char* side : {"ici_", "dcn_"})
      for (const std::string_view name : kOthers) {
        const std::string key = side + std::string{name} + "_parallelism";
        const Json* const stated = document_.take(key);
        if (stated != nullptr && *stated != Json(1)) document_.refuse(key, "1: this axis is not covered");
      }
    set_above_one("tensor_parallel", of(tensor) * of(tensor_sequence));
    if (draft_.has("tensor_parallel")) draft_.set("sequence_parallel", "true"); // activations between layers are divided by their width, or by tokens
    set_above_one("context_parallel", of(context));
    if (draft_.has("context_parallel")) read_context();
    set_above_one("expert_parallel", of(expert));
    draft_.set("sharding", "parameters");
    if (fill()) finish();
  }

private:
  /// The slices that a step is compiled for, without their devices.
  void read_topology() {
    slices_ = document_.whole("num_slices").value_or(0);
    const std::string topology = document_.text("compile_topology");
    const auto slices = document_.whole("compile_topology_num_slices");
    if (topology.empty()) return;
    for (const Slice& slice : kSlices) {
      if (!topology.starts_with(slice.name)) continue;
      const auto number = whole_number(topology.substr(slice.name.size()));
      if (!number || *number < slice.cores || *number > kMost || slices.value_or(1) < 1 || slices.value_or(1) > kMost) break;
      slices_ = slices.value_or(1);
      devices_ = *number / slice.cores * slices_;
      return draft_.set("device", slice.device);
    }
    document_.refuse("compile_topology", "a slice of v4, v5e, v5p or v6e, such as v5e-256, in a number of compile_topology_num_slices");
  }

  Side side(const std::string& prefix, Axis open) {
    Side made{};
    bool any_open = false;
    for (std::size_t i = 0; i < kAxes; ++i) {
      const std::string key = prefix + std::string{kNames[i]} + "_parallelism";
      const Json* const value = document_.peek(key);
      const bool left = value != nullptr && *value == Json(kOpen);
      if (left) document_.take(key);
      const std::optional<std::int64_t> stated = left ? std::nullopt : document_.whole(key);
      if (stated && (*stated < 1 || *stated > kMost)) document_.refuse(key, "a number of devices, or -1 for what is left");
      made.axes[i] = left ? kOpen : stated && *stated >= 1 ? std::min(*stated, kMost) : value == nullptr && i == open ? kOpen : 1;
      if (left && any_open) document_.refuse(key, "a number: one axis alone is what is left");
      any_open = any_open || left;
    }
    if (made.axes[open] == kOpen && any_open && document_.peek(prefix + std::string{kNames[open]} + "_parallelism") == nullptr)
      draft_.refuse(prefix + std::string{kNames[open]} + "_parallelism", "Two axes are what is left of the devices: " + prefix + std::string{kNames[open]} + "_parallelism is so by itself.", "State it beside the other.");
    return made;
  }

  std::int64_t of(Axis axis) const { return std::max<std::int64_t>(ici_.axes[axis], 1) * std::max<std::int64_t>(dcn_.axes[axis], 1); }

  void set_above_one(std::string_view field, std::int64_t degree) {
    if (degree > 1) draft_.set(field, degree);
  }

  void read_context() {
    const std::string method = document_.text("context_parallel_strategy");
    if (method.empty() || method == "all_gather" || method == "ring" || method == "ulysses") draft_.set("context_method", method.empty() ? "all_gather" : method);
    else document_.refuse("context_parallel_strategy", "all_gather, ring or ulysses");
  }

  /// What is left of the devices, where somebody told how many there are. False: nobody did, which is asked.
  bool fill() {
    std::int64_t *const inside = ici_.open(), *const between = dcn_.open();
    std::int64_t slices = slices_;
    if (inside == nullptr && (between == nullptr || slices > 0)) return fill_slices(between, slices), true;
    const std::int64_t devices = draft_.gpus > 0 ? draft_.gpus : devices_;
    if (devices <= 0) return draft_.miss_gpus(), false;
    if (between == nullptr) slices = dcn_.known();
    else if (slices <= 0 && inside == nullptr) slices = std::max<std::int64_t>(devices / ici_.known(), 1);
    else if (slices <= 0) slices = dcn_.known(), draft_.assume("As many slices as the dcn axes say, one where none does: num_slices is not stated");
    if (!fill_slices(between, slices)) return false;
    const std::int64_t each = devices / slices;
    const bool fits = devices % slices == 0 && (inside != nullptr ? each % ici_.known() == 0 : each == ici_.known());
    if (!fits) return draft_.refuse("data_parallel", std::to_string(devices) + " devices do not come apart into the axes that are stated.", "Give a number of devices that they divide."), false;
    if (inside != nullptr) *inside = each / ici_.known();
    return true;
  }

  bool fill_slices(std::int64_t* between, std::int64_t slices) {
    if (between == nullptr) return true;
    if (slices % dcn_.known() != 0) return document_.refuse("num_slices", "a number that the dcn axes divide"), false;
    *between = slices / dcn_.known();
    return true;
  }

  void finish() {
    const std::int64_t replicas = of(data), shards = of(fsdp) * of(fsdp_transpose) * of(expert) * of(context);
    draft_.set("data_parallel", replicas * of(fsdp) * of(fsdp_transpose) * of(expert));
    const bool over_data = document_.is_on("shard_optimizer_over_data");
    if (replicas == 1) return;
    if (shards == 1) return draft_.set("sharding", over_data ? "optimizer" : "none");
    draft_.set("shard_group", shards);
    if (over_data) document_.refuse("shard_optimizer_over_data", "false beside axes that divide the weights");
  }

  Document& document_;
  RequestBuilder& draft_;
  Side ici_{}, dcn_{};
  std::int64_t slices_ = 0, devices_ = 0; ///< as stated; 0 = not stated
};

} // namespace

void read_mesh(Document& document, RequestBuilder& draft) { Mesh{document, draft}.run(); }

} // namespace plimsoll::io::configs
