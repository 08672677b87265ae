// llama.cpp's --override-tensor: regular expressions of names, of which the first that matches decides where a tensor is. What they say is
// compared with where each tensor is by itself: its layer's GPU, or the host. Most put the routed experts or the dense MLPs of some layers
// into the host's memory and leave all else where it is, which host_expert_layers and host_mlp_layers say; what they put on a GPU that has
// it anyway changes nothing.
// ggml-org/llama.cpp, src/llama-model-loader.cpp, create_tensor; names: src/llama-arch.cpp.
#include "files/commands/patterns.hpp"
#include "files/commands/request_builder.hpp"
#include "files/commands/values.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"
#include "text/json.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::commands {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> kRouted{"ffn_gate_exps", "ffn_up_exps", "ffn_down_exps"};
constexpr std::array<std::string_view, 3> kMlp{"ffn_gate", "ffn_up", "ffn_down"};
// What stays beside them. The norm before them is a few kilobytes, wherever it is.
constexpr std::array<std::string_view, 3> kShared{"ffn_gate_shexp", "ffn_up_shexp", "ffn_down_shexp"};
constexpr std::array<std::string_view, 5> kHeads{"attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"};
constexpr std::array<std::string_view, 8> kLatent{"attn_norm", "attn_q_a", "attn_q_b", "attn_kv_a_mqa", "attn_kv_b", "attn_k_b", "attn_v_b", "attn_output"};
constexpr std::array<std::string_view, 3> kRecurrent{"attn_norm", "ssm_in", "ssm_out"};

constexpr std::int64_t kHost = -1; ///< in the place of a GPU's number

std::string name_of(std::int64_t place) { return place == kHost ? "the host" : "GPU " + std::to_string(place); }

/// By the name of its memory: the backend's with its number. ggml-org/llama.cpp, ggml/include/ggml-cuda.h (GGML_CUDA_NAME), ggml/src/ggml-vulkan,
/// ggml-sycl, ggml-cann, ggml-metal (MTL0; "Metal" before it had a number). Nothing for others.
std::optional<std::int64_t> place_of(std::string_view device) {
  if (device == "CPU") return kHost;
  if (device == "Metal") return 0;
  for (const std::string_view backend : {"CUDA", "ROCm", "MUSA", "Vulkan", "SYCL", "CANN", "MTL"})
    if (device.starts_with(backend)) {
      const std::string_view number = device.substr(backend.size());
      return number.find_first_not_of("0123456789") == std::string_view::npos ? whole_of(number) : std::nullopt;
    }
  return std::nullopt;
}

/// Where layers and head of a model are by themselves.
struct Usual {
  std::vector<std::int64_t> layers; ///< for each its GPU, or the host
  std::int64_t head = 0, gpus = 1;
};

std::int64_t stated(const RequestBuilder& draft, std::string_view field, std::int64_t otherwise) {
  const std::string* const text = draft.line.request.find(field);
  return text == nullptr ? otherwise : whole_of(*text).value_or(otherwise);
}

std::int64_t gpus_of(const RequestBuilder& draft) { return draft.whole_on_one ? 1 : std::max<std::int64_t>(stated(draft, "pipeline_parallel", 1), 1); }

Usual usual_of(const Catalog& catalog, const RequestBuilder& draft, const Model& model) {
  Usual usual;
  const auto all = static_cast<std::int64_t>(model.pattern.size());
  usual.layers.assign(static_cast<std::size_t>(all), 0);
  usual.gpus = gpus_of(draft);
  const std::shared_ptr<const Profile> profile = catalog.profile(draft.fork ? "ik_llama_cpp" : "llama_cpp", "");
  if (!profile) return usual;
  Inputs inputs;
  inputs.model = model;
  inputs.workload.task = Task::inference;
  inputs.serving.gpu_layers = stated(draft, "gpu_layers", Serving::kAllLayers);
  inputs.strategy.pipeline_parallel = usual.gpus;
  if (const std::string* const split = draft.line.request.find("tensor_split"); split != nullptr) inputs.strategy.tensor_split = split_of(*split);
  const Scenario scenario = scenario_of(inputs, *profile);
  usual.head = scenario.strategy.head_on_host ? kHost : usual.gpus - 1;
  for (std::int64_t gpu = 0; gpu < usual.gpus && usual.gpus > 1; ++gpu) {
    const Chunk chunk = chunk_of(scenario.model, scenario.strategy, gpu, 0);
    for (std::int64_t i = chunk.first; i < std::min(chunk.first + chunk.layers, all); ++i) usual.layers[static_cast<std::size_t>(i)] = gpu;
  }
  for (std::int64_t i = 0; i < std::min(scenario.strategy.host_layers, all); ++i) usual.layers[static_cast<std::size_t>(i)] = kHost;
  return usual;
}

/// Of layers that have such tensors and are a GPU's, of which ones the host keeps them.
struct Found {
  struct Layer {
    std::int64_t index = 0, gpu = 0;
    bool away = false;
  };
  std::vector<Layer> layers;

  /// As many of the first layers of the model as leave every GPU what the host does not keep; nothing where there are none.
  std::optional<std::int64_t> first_layers(std::int64_t gpus) const {
    const auto away = std::ranges::count(layers, true, &Layer::away);
    if (away == 0) return 0;
    if (away == std::ssize(layers)) return Serving::kAllLayers;
    const std::int64_t first = layers[static_cast<std::size_t>(away - 1)].index + 1;
    std::vector<std::int64_t> surplus(static_cast<std::size_t>(gpus), 0);
    for (const Layer& layer : layers) surplus[static_cast<std::size_t>(layer.gpu)] += (layer.away ? 1 : 0) - (layer.index < first ? 1 : 0);
    return std::ranges::all_of(surplus, [](std::int64_t count) { return count == 0; }) ? std::optional{first} : std::nullopt;
  }
};

struct Refusal {
  std::string reason, remedy;
};

class Places {
public:
  Places(const std::vector<RequestBuilder::Place>& rules, const Usual& usual) : rules_(rules), usual_(usual) {}

  /// Compares every tensor of the model; refusal() says what has no input.
  void compare(const Model& model) {
    for (std::size_t i = 0; i < model.pattern.size() && !refusal_; ++i) compare_layer(model.groups[model.pattern[i]], static_cast<std::int64_t>(i));
    stays("output.weight", usual_.head);
    // The table of tokens is the host's by itself; where it is the head too, a GPU has a second one, unless a pattern names both.
    if (model.tied_embeddings && is_placed("token_embd.weight")) refuse(name_ + " names token_embd.weight, which is this model's output head too: both would be in one place.");
    stays("token_embd.weight", kHost);
    host_experts = counted(experts_, "routed experts");
    host_mlps = counted(mlps_, "MLPs");
  }

  const std::optional<Refusal>& refusal() const noexcept { return refusal_; }
  std::int64_t host_experts = 0, host_mlps = 0; ///< layers, from the first on
  bool moves_routers = false;                   ///< of some layers, away from the layer's own place

private:
  void compare_layer(const LayerGroup& group, std::int64_t index) {
    const bool routed = group.moe.experts > Count{0};
    const auto named = [&](std::string_view name) { return "blk." + std::to_string(index) + "." + std::string{name} + ".weight"; };
    const std::int64_t usual = usual_.layers[static_cast<std::size_t>(index)];
    const auto all_stay = [&](Names names) {
      for (const std::string_view name : names) stays(named(name), usual);
    };
    all_stay(group.expands_vectors() ? Names{kLatent} : group.attends() || group.recurrence_shape.projected == Count{0} ? Names{kHeads} : Names{kRecurrent});
    if (routed && group.moe.shared_size > Count{0}) all_stay(kShared);
    moves_routers = moves_routers || (routed && place(named("ffn_gate_inp"), usual) != usual);
    std::int64_t away = 0;
    const auto& together = routed ? kRouted : kMlp;
    for (const std::string_view name : together) {
      if (usual != kHost && place(named(name), usual) == kHost) ++away;
      else stays(named(name), usual);
    }
    if (away != 0 && away != std::ssize(together)) refuse(name_ + " leaves " + named(together[0]) + " and the matrices beside it in several places.");
    if (usual != kHost) (routed ? experts_ : mlps_).layers.push_back({index, usual, away != 0});
  }

  std::int64_t counted(const Found& found, std::string_view what) {
    if (refusal_) return 0;
    const std::optional<std::int64_t> first = found.first_layers(usual_.gpus);
    if (!first) refuse("Of the " + std::string{what} + " that " + name_ + " leaves to the host, the GPUs have other numbers of layers than of the model's first ones, which the input counts.");
    return first.value_or(0);
  }

  void stays(const std::string& tensor, std::int64_t usual) {
    if (const std::int64_t now = place(tensor, usual); now != usual) refuse(name_ + " puts " + tensor + " on " + name_of(now) + "; by itself it is " + (usual == kHost ? "in the host's memory." : "on " + name_of(usual) + "."));
  }

  bool is_placed(const std::string& tensor) {
    constexpr std::int64_t kNowhere = -2;
    return place(tensor, kNowhere) != kNowhere;
  }

  /// Where that tensor is; `usual` where no pattern names it.
  std::int64_t place(const std::string& tensor, std::int64_t usual) {
    for (const RequestBuilder::Place& rule : rules_) {
      const std::optional<bool> found = is_found(rule.pattern, tensor);
      if (!found) refuse(rule.pattern + " is no regular expression that is read here.");
      if (!found || !*found) continue;
      name_ = rule.name + " " + rule.pattern + "=" + rule.device;
      const std::optional<std::int64_t> device = place_of(rule.device);
      if (!device) refuse(quoted(std::string_view{rule.device}) + " is no device that is known of llama.cpp.", "Write CPU, or a GPU such as CUDA0, ROCm0 or Vulkan0.");
      else if (*device >= usual_.gpus)
        refuse(name_ + " names GPU " + std::to_string(*device) + ", counted from 0; " + (usual_.gpus > 1 ? "stated are " + std::to_string(usual_.gpus) + "." : "several are not stated."), "State all of them: CUDA_VISIBLE_DEVICES, or --tensor-split.");
      return device.value_or(usual);
    }
    return usual;
  }

  /// The first reason stays.
  void refuse(std::string reason, std::string remedy = "Leave it out, divide layers by --tensor-split and set gpu_layers, host_mlp_layers or host_expert_layers, or read the sizes of buffers in the engine's log.") {
    if (!refusal_) refusal_ = Refusal{std::move(reason), std::move(remedy)};
  }

  const std::vector<RequestBuilder::Place>& rules_;
  const Usual& usual_;
  std::string name_; ///< the option that decided last
  Found experts_, mlps_;
  std::optional<Refusal> refusal_;
};

/// "exps=CPU" and its like speak of any model's layers, and leave all GPUs alike.
bool takes_any_layer(const RequestBuilder& draft) {
  const RequestBuilder::Place& rule = draft.places.front();
  return draft.places.size() == 1 && rule.pattern.find_first_of("0123456789[{") == std::string::npos && (rule.device == "CPU" || gpus_of(draft) == 1);
}

/// Some layers with experts and one without, on one GPU, stand for all.
Model any_model() {
  Model any;
  any.groups.resize(2);
  any.groups[1].moe.experts = Count{8};
  any.groups[1].moe.shared_size = Count{1};
  any.pattern = {0, 1, 1};
  return any;
}

} // namespace

void settle_places(const Catalog& catalog, RequestBuilder& into) {
  if (into.places.empty()) return;
  const std::string* const name = into.line.request.find("model");
  const ModelRow* const row = name == nullptr ? nullptr : catalog.find_model(*name);
  const ImportedModel known = row == nullptr ? ImportedModel{} : catalog.model(*row);
  const std::string& option = into.places.front().name;
  const auto refuse = [&](std::string message, std::string remedy) {
    for (const RequestBuilder::Place& rule : into.places) into.line.unread.push_back(rule.name + " " + rule.pattern + "=" + rule.device);
    into.say(Severity::error, option, std::move(message), std::move(remedy));
  };
  if (!known.model && !takes_any_layer(into))
    return refuse(option + " places tensors of certain layers, and which model has them is not known.", "Name a model of the catalogue.");
  const Usual usual = known.model ? usual_of(catalog, into, *known.model) : Usual{.layers = {0, 0, 0}};
  Places places{into.places, usual};
  places.compare(known.model ? *known.model : any_model());
  if (const auto& refusal = places.refusal()) return refuse(refusal->reason, refusal->remedy);
  if (places.moves_routers)
    into.say(Severity::warning, option, "Routers are moved too; the estimate leaves them, as many fp32 channels as hidden size \u00d7 experts in each layer, where their layers are.", "Take them off usable_bytes where they are on a GPU that has none otherwise.");
  if (places.host_experts > 0) into.set("host_expert_layers", std::to_string(places.host_experts));
  if (places.host_mlps > 0) into.set("host_mlp_layers", std::to_string(places.host_mlps));
}

} // namespace plimsoll::io::commands
