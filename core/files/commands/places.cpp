// llama.cpp's --override-tensor: regular expressions of names, of which the first that matches decides where a tensor is. Most put the
// routed experts or the dense MLPs of some layers into the host's memory and leave all else where it is, which host_expert_layers and
// host_mlp_layers say.
// ggml-org/llama.cpp, src/llama-model-loader.cpp, create_tensor; names: src/llama-arch.cpp.
#include "files/commands/patterns.hpp"
#include "files/commands/request_builder.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::commands {

namespace {

constexpr std::string_view kHost = "CPU";
constexpr std::array<std::string_view, 3> kRouted{"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"};
constexpr std::array<std::string_view, 8> kOfExperts{"attn_norm", "attn_q", "attn_output", "ffn_norm", "ffn_gate_inp", "ffn_gate_shexp", "ffn_up_shexp", "ffn_down_shexp"};
constexpr std::array<std::string_view, 3> kMlp{"ffn_gate", "ffn_up", "ffn_down"};
constexpr std::array<std::string_view, 3> kOfDense{"attn_norm", "attn_q", "attn_output"}; // the norm before an MLP is a few kilobytes, wherever it is

/// Of layers that have such tensors, how many the host keeps them of.
struct Found {
  std::vector<std::int64_t> layers; ///< of the model
  std::int64_t away = 0;

  std::int64_t first_layers() const {
    if (away == 0) return 0;
    return away == std::ssize(layers) ? Serving::kAllLayers : layers[static_cast<std::size_t>(away - 1)] + 1;
  }
};

struct OnHost {
  std::int64_t experts = 0, mlps = 0;
};

class Places {
public:
  explicit Places(const std::vector<RequestBuilder::Place>& rules) : rules_(rules) {}

  /// Layers, from the first on, whose routed experts and whose dense MLPs the host has, as many as it has of the model; nothing where it has
  /// other tensors too, or where several GPUs have tensors of their own.
  std::optional<OnHost> on_host(const Model& model) {
    Found experts, mlps;
    for (std::size_t i = 0; i < model.pattern.size(); ++i) {
      const bool routed = model.groups[model.pattern[i]].moe.experts > Count{0};
      const auto layer = [&](std::string_view name) { return "blk." + std::to_string(i) + "." + std::string{name} + ".weight"; };
      for (const std::string_view name : routed ? std::span<const std::string_view>{kOfExperts} : std::span<const std::string_view>{kOfDense})
        if (is_on_host(layer(name))) return std::nullopt;
      const auto& together = routed ? kRouted : kMlp;
      const auto away = std::ranges::count_if(together, [&](std::string_view name) { return is_on_host(layer(name)); });
      if (away != 0 && away != std::ssize(together)) return std::nullopt;
      Found& found = routed ? experts : mlps;
      found.layers.push_back(static_cast<std::int64_t>(i));
      found.away += away != 0;
    }
    if (is_on_host("output.weight") || failed_) return std::nullopt;
    return OnHost{experts.first_layers(), mlps.first_layers()};
  }

private:
  bool is_on_host(const std::string& tensor) {
    for (const RequestBuilder::Place& rule : rules_) {
      const std::optional<bool> found = is_found(rule.pattern, tensor);
      if (!found) failed_ = true;
      if (!found || !*found) continue;
      if (rule.device == kHost) return true;
      if (!rule.device.ends_with('0')) failed_ = true; // CUDA1 and others beside the first
      return false;
    }
    return false;
  }

  const std::vector<RequestBuilder::Place>& rules_;
  bool failed_ = false;
};

/// "exps=CPU" and its like speak of any model's layers.
bool takes_any_layer(const std::vector<RequestBuilder::Place>& rules) { return rules.size() == 1 && rules.front().pattern.find_first_of("0123456789[{") == std::string::npos; }

} // namespace

void settle_places(const Catalog& catalog, RequestBuilder& into) {
  if (into.places.empty()) return;
  const std::string* const name = into.line.request.find("model");
  const ModelRow* const row = name == nullptr ? nullptr : catalog.find_model(*name);
  ImportedModel known = row == nullptr ? ImportedModel{} : import_model(*row);
  if (!known.model && takes_any_layer(into.places)) { // some layers with experts and one without stand for all
    Model any;
    any.groups.resize(2);
    any.groups[1].moe.experts = Count{8};
    any.pattern = {0, 1, 1};
    known.model = std::move(any);
  }
  const std::string& option = into.places.front().name;
  const auto refuse = [&](std::string message, std::string remedy) {
    for (const RequestBuilder::Place& rule : into.places) into.line.unread.push_back(rule.name + " " + rule.pattern + "=" + rule.device);
    into.say(Severity::error, option, std::move(message), std::move(remedy));
  };
  if (!known.model)
    return refuse(option + " places tensors of certain layers, and which model has them is not known.", "Name a model of the catalogue.");
  const std::optional<OnHost> layers = Places{into.places}.on_host(*known.model);
  const auto some = [](std::int64_t count) { return count > 0 && count != Serving::kAllLayers; };
  if (!layers || ((some(layers->experts) || some(layers->mlps)) && into.visible > 1 && !into.whole_on_one)) // these inputs take the first ones, which are not all GPUs' alike
    return refuse(option + " gives the host, or one of several GPUs, single tensors. The estimate has inputs for whole MLPs and for routed experts of the first layers.",
                  "Leave it out and set gpu_layers, host_mlp_layers or host_expert_layers, or read the sizes of buffers in the engine's log.");
  if (layers->experts > 0) into.set("host_expert_layers", std::to_string(layers->experts));
  if (layers->mlps > 0) into.set("host_mlp_layers", std::to_string(layers->mlps));
}

} // namespace plimsoll::io::commands
