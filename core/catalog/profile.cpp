// core/catalog/data/profiles/*.json -> Profile.
#include "catalog/efficiency.hpp"
#include "catalog/kept.hpp"
#include "catalog/kernels.hpp"
#include "catalog/profile_data.hpp"
#include "catalog/profile_reading.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io {

namespace {

// In the order of the enumerations in implementation.hpp.
constexpr std::array<std::string_view, 5> kAttentionKernels{"profile", "flash", "cudnn", "fused_softmax", "eager"};
constexpr std::array<std::string_view, 5> kFusions{"profile", "eager", "fused", "compiled", "in_products"};
constexpr std::array<std::string_view, 17> kLossKernels{
    "profile",  "hf_causal_lm",   "hf_trainer", "hf_shifted",     "torch_cross_entropy", "torch_float", "torch_float_compiled", "torch_float_kept",
    "chunked",  "chunked_compiled", "linear_chunked", "megatron", "megatron_fused", "te_fused", "te_fused_out_of_place", "liger", "liger_fused_linear"};

constexpr std::array<std::string_view, 2> kShardingMethods{"units", "buckets"};
constexpr std::array<std::string_view, 3> kGradientDtypes{"profile", "fp32", "half"}, kAdapterDtypes{"profile", "fp32", "half"};

/// What the profile says, unless something else was asked for.
template <class Enum> Enum chosen(Enum asked, Enum standard) { return asked == Enum::profile ? standard : asked; }

/// The row of a table, with what the framework's own code does otherwise in place of it: own.TABLE.ROW of the profile.
Json row_of(const Json& tables, const Json& profile, const char* table, std::string_view row) {
  Json merged = tables.at(std::string{row});
  if (const auto own = profile.find("own"); own != profile.end() && own->contains(table) && own->at(table).contains(row))
    merged.merge_patch(own->at(table).at(std::string{row}));
  return merged;
}

Json variant_of(const Json& operations, const Json& profile, const char* table, Fusion asked) {
  return row_of(operations.at(table), profile, table, kFusions[static_cast<std::size_t>(chosen(asked, named<Fusion>(kFusions, profile.at(table))))]);
}

NormProfile norms_of(const Constants& constant) {
  return {.rmsnorm_bytes = constant("rmsnorm_bytes"),
          .rmsnorm_bytes_fp32 = constant("rmsnorm_bytes_fp32"),
          .layernorm_bytes = constant("layernorm_bytes"),
          .layernorm_bytes_fp32 = constant("layernorm_bytes_fp32"),
          .qk_norm_bytes = constant("qk_norm_bytes"),
          .qk_norm_bytes_fp32 = constant("qk_norm_bytes_fp32"),
          .rmsnorm_frozen = constant("rmsnorm_frozen"),
          .rmsnorm_frozen_fp32 = constant("rmsnorm_frozen_fp32"),
          .qk_norm_frozen = constant("qk_norm_frozen"),
          .qk_norm_frozen_fp32 = constant("qk_norm_frozen_fp32"),
          .twice = constant.or_none("twice")};
}

MlpProfile mlp_of(const Constants& constant) {
  return {.gated_saved = constant("gated_saved"),
          .plain_saved = constant("plain_saved"),
          .gated_backward = constant("gated_backward"),
          .plain_backward = constant("plain_backward"),
          .gelu_new_bytes = constant("gelu_new_bytes"),
          .gelu_new_bytes_mixed = constant("gelu_new_bytes_mixed"),
          .gelu_new_bytes_fp32 = constant("gelu_new_bytes_fp32")};
}

/// The kernel on a GPU architecture, and where results must be equal in every run.
AttentionKernel attention_kernel(const Json& attention, std::string_view arch, bool deterministic) {
  const auto by = [&](const char* key) -> const Json* {
    const auto table = attention.find(key);
    if (table == attention.end()) return nullptr;
    const auto at = table->find(arch);
    return at == table->end() ? nullptr : &*at;
  };
  if (const Json* kernel = deterministic ? by("deterministic_by_arch") : nullptr) return named<AttentionKernel>(kAttentionKernels, *kernel);
  if (const Json* kernel = by("by_arch")) return named<AttentionKernel>(kAttentionKernels, *kernel);
  return named<AttentionKernel>(kAttentionKernels, attention.at("kernel"));
}

AttentionProfile attention_of(const Json& attention, std::string_view arch, const Implementation& asked) {
  const Constants constant{attention, arch};
  return {.kernel = chosen(asked.attention, attention_kernel(attention, arch, asked.deterministic)),
          .repeats_keys_values = attention.contains("repeats_keys_values") && attention.at("repeats_keys_values").at("value").get<bool>(),
          .values_view_projection = attention.contains("values_view_projection") && attention.at("values_view_projection").at("value").get<bool>(),
          .output_copies = constant("output_copies"),
          .copies_each_output = attention.contains("copies_each_output") && attention.at("copies_each_output").at("value").get<bool>(),
          .caps_outside_kernel = attention.contains("caps_outside_kernel") && attention.at("caps_outside_kernel").at("value").get<bool>(),
          .softmax_bytes = constant("softmax_bytes"),
          .score_dropout_bytes = constant("score_dropout_bytes")};
}

/// Where the router's weights multiply activations inside the experts, code that runs operation by operation keeps those too.
MoeProfile moe_of(const Constants& framework, Constants experts, bool eager) {
  const std::int64_t weighted = eager ? framework.or_none("weighted_saved").value : 0;
  MoeProfile moe{.router_bytes = framework("router_bytes"),
          .router_bytes_fp32 = framework("router_bytes_fp32"),
          .gathered_copies = framework("gathered_copies"),
          .dispatch_bytes = framework.or_none("dispatch_bytes"),
          .row_bytes = framework("row_bytes"),
          .input_copies = framework("input_copies"),
          .gated_saved = experts("gated_saved"),
          .plain_saved = experts("plain_saved"),
          .workspaces = framework("workspaces")};
  for (Constant* kept : {&moe.gated_saved, &moe.plain_saved}) kept->value += weighted, kept->low += weighted, kept->high += weighted;
  return moe;
}

NvmeProfile nvme_of(const Json& row, std::string_view arch) {
  if (!row.contains("nvme")) return {};
  const Constants constant{row.at("nvme"), arch};
  return {.state_buffers = constant("state_buffers"), .weight_buffers = constant("weight_buffers"), .weight_buffer = constant("weight_buffer"), .host_weights = constant("host_weights")};
}

ShardingProfile sharding_of(const Json& row, std::string_view arch) {
  const Constants constant{row, arch};
  return {.method = named<ShardingMethod>(kShardingMethods, row.at("method")),
          .by_rows = row.at("by_rows").get<bool>(),
          .last_unit_stays = row.at("last_unit_stays").get<bool>(),
          .whole_in_pipelines = row.value("whole_in_pipelines", false),
          .offloads_master = row.at("offloads_master").get<bool>(),
          .offloads_gradients = row.at("offloads_gradients").get<bool>(),
          .gathers_on_own_stream = row.at("gathers_on_own_stream").get<bool>(),
          .reduces_on_own_stream = row.at("reduces_on_own_stream").get<bool>(),
          .forward_units = constant("forward_units"),
          .waiting_units = constant("waiting_units"),
          .backward_units = constant("backward_units"),
          .reduced_units = constant("reduced_units"),
          .reduce_bytes = constant("reduce_bytes"),
          .bucket = constant("bucket"),
          .buckets = constant("buckets"),
          .prefetch = constant("prefetch"),
          .persistence = constant("persistence"),
          .sub_group = constant("sub_group"),
          .nvme = nvme_of(row, arch)};
}

/// The name of a library's way, or the profile's own: "as" names the one from which it sets itself apart.
Json sharding_row(const Json& said) {
  const Json& libraries = profile_data("sharding.json");
  if (said.is_string()) return libraries.at(said.text());
  const auto as = said.find("as");
  if (as == said.end()) return said;
  Json whole = libraries.at(as->text());
  Json own = said;
  own.erase("as");
  whole.merge_patch(own);
  return whole;
}

StateProfile states_of(const Json& states, std::string_view arch) {
  return {.master_gradient = named<GradientDtype>(kGradientDtypes, states.at("master_gradient")),
          .preallocated_gradients = states.at("preallocated_gradients").get<bool>(),
          .step_scalars = states.at("step_scalars").get<bool>(),
          .embeddings_in_32_bits = states.at("embeddings_in_32_bits").get<bool>(),
          .placeholder_bytes = states.contains("placeholder_bytes") ? constant_of(states, "placeholder_bytes", arch) : Constant{},
          .gradient_copies = constant_of(states, "gradient_copies", arch),
          .rebuilt_copies = states.contains("rebuilt_copies") ? constant_of(states, "rebuilt_copies", arch) : Constant{},
          .flat_gradients = states.value("flat_gradients", false),
          .accumulates_whole = states.value("accumulates_whole", false),
          .casts_gradients = states.value("casts_gradients", false),
          .sharding = sharding_of(sharding_row(states.at("sharding")), arch)};
}

/// Frameworks that say nothing keep adapters in the format of the weights.
TuningProfile tuning_of(const Json& training, std::string_view arch) {
  TuningProfile profile;
  profile.dequantised_copies.value = profile.dequantised_copies.low = profile.dequantised_copies.high = 1;
  const auto tuning = training.find("tuning");
  if (tuning == training.end()) return profile;
  profile.adapter_dtype = named<AdapterDtype>(kAdapterDtypes, tuning->at("adapter_dtype"));
  profile.upcasts_unquantised = tuning->at("upcasts_unquantised").get<bool>();
  for (const Json& scheme : tuning->at("not_upcast")) profile.not_upcast.push_back(scheme.text());
  profile.joint_attention = tuning->value("joint_attention", false);
  profile.fused = tuning->value("fused", false);
  if (tuning->contains("dequantised_copies")) profile.dequantised_copies = constant_of(*tuning, "dequantised_copies", arch);
  return profile;
}

LossProfile loss_of(const Json& kernel, const char* format, std::string_view arch) {
  const Constants constant{kernel.at(format), arch};
  return {.forward = constant("forward"),
          .between = constant("between"),
          .backward = constant("backward"),
          .head_backward = constant("head_backward"),
          .after = constant("after"),
          .chunks = constant("chunks"),
          .chunk_forward = constant("chunk_forward"),
          .chunk_backward = constant("chunk_backward"),
          .chunk_tokens = constant.or_none("chunk_tokens"),
          .chunk_bytes = constant.or_none("chunk_bytes"),
          .converted = constant.or_none("converted"),
          .parallel_forward = constant.or_none("parallel_forward"),
          .parallel_backward = constant.or_none("parallel_backward"),
          .divided = kernel.value("divided", false),
          .head_in_pieces = kernel.value("head_in_pieces", false),
          .head_gradient_in_forward = kernel.value("head_gradient_in_forward", false),
          .few_passes = kernel.value("few_passes", false)};
}

/// A compiler drops what no backward pass reads, asked to keep it or not. PyTorch, torch/_functorch/partitioners.py.
OperationProfile operations_of(const Json& row, std::string_view arch, Fusion mlp) {
  return {.products = constant_of(row, "products", arch),
          .attention = row.at("attention").get<bool>(),
          .scattered = row.at("scattered").get<bool>(),
          .exchanged = row.at("exchanged").get<bool>(),
          .router = row.at("router").get<bool>(),
          .unread = mlp != Fusion::compiled};
}

OffloadProfile offload_of(const Json& training, std::string_view arch) {
  constexpr std::array<std::string_view, 3> kUnits{"none", "layers", "tensors"};
  OffloadProfile offload;
  const auto own = training.find("offload");
  if (own == training.end()) return offload;
  const Constants constant{*own, arch};
  offload.inputs = own->value("inputs", true);
  if (const auto unit = own->find("kept"); unit != own->end()) offload.kept = named<KeptOffload>(kUnits, *unit);
  offload.ahead = constant.or_none("ahead");
  offload.stash = constant.or_none("stash");
  offload.repeats_stay = own->value("repeats_stay", false);
  return offload;
}

RolloutProfile rollout_of(const Json& training) {
  constexpr std::array<std::string_view, 3> kCopies{"none", "states", "all"};
  RolloutProfile rollout;
  const auto own = training.find("rollout");
  if (own == training.end()) return rollout;
  if (const auto copies = own->find("pageable"); copies != own->end()) rollout.pageable = named<PageableCopies>(kCopies, *copies);
  rollout.logprobs = own->value("logprobs", false);
  rollout.engine_waits = own->value("engine_waits", false);
  rollout.sequences_apart = own->value("sequences_apart", std::int64_t{0});
  return rollout;
}

/// Frameworks that say nothing of it leave 8-bit multiplication to Transformer Engine.
Fp8Profile fp8_of(const Json& training, std::string_view arch) {
  const auto own = training.find("fp8");
  const Constant two{.value = 2, .low = 2, .high = 2, .citation = "te_fp8", .basis = Basis::assumed};
  const Constant history{.value = 1024, .low = 1, .high = 1024, .citation = "te_recipes", .basis = Basis::published};
  if (own == training.end()) return {.copies = two, .of_tensor = two, .history = history};
  const Constants constant{*own, arch};
  return {.copies = constant("copies"),
          .of_tensor = constant.has("of_tensor") ? constant("of_tensor") : constant("copies"),
          .history = constant.has("history") ? constant("history") : history,
          .shares_inputs = own->value("shares_inputs", false),
          .casts = own->at("casts").get<bool>()};
}

TrainingProfile training_of(const Json& group, std::string_view arch, const Implementation& asked) {
  const Json &operations = profile_data("operations.json"), &losses = profile_data("losses.json");
  TrainingProfile training;
  const Json norms = variant_of(operations, group, "norms", asked.norms), mlp = variant_of(operations, group, "mlp", asked.mlp),
             experts = variant_of(operations, group, "experts", asked.experts);
  training.norms = norms_of({norms, arch});
  training.mlp = mlp_of({mlp, arch});
  training.attention = attention_of(group.at("attention"), arch, asked);
  const bool eager = chosen(asked.experts, named<Fusion>(kFusions, group.at("experts"))) == Fusion::eager;
  training.moe = moe_of({group.at("moe"), arch}, {experts, arch}, eager);
  const Constants recurrence{group.at("recurrence"), arch}, framework{group, arch};
  training.recurrence = {.inner_saved = recurrence("inner_saved"), .head_bytes = recurrence("head_bytes")};
  training.operations = operations_of(operations.at("kept"), arch, asked.mlp);
  training.fp8 = fp8_of(group, arch);
  training.offload = offload_of(group, arch);
  training.rollout = rollout_of(group);
  if (const auto modules = group.find("modules"); modules != group.end())
    training.modules = {.chosen = true, .norms_in_maps = modules->at("norms_in_maps").get<bool>()};
  training.tf32 = group.value("tf32", false);
  training.keeps_gathered = group.value("keeps_gathered", false);
  training.pipeline_buffers = framework.or_none("pipeline_buffers");
  training.states = states_of(group.at("states"), arch);
  training.tuning = tuning_of(group, arch);
  training.copies_modules = group.value("copies_modules", false);
  training.keeps_last_loss = group.value("keeps_last_loss", false);
  training.loss_kernel = chosen(asked.loss, named<LossKernel>(kLossKernels, group.at("loss")));
  const Json loss = row_of(losses, group, "losses", kLossKernels[static_cast<std::size_t>(training.loss_kernel)]);
  training.loss = loss_of(loss, "half", arch);
  training.loss_fp32 = loss_of(loss, "fp32", arch);
  return training;
}

RuntimeProfile runtime_of(const Constants& constant, const Implementation& asked) {
  RuntimeProfile runtime{.context_bytes = constant("context_bytes"),
                         .workspace_bytes = constant("workspace_bytes"),
                         .workspaces = constant("workspaces"),
                         .workspaces_divided = constant.has("workspaces_divided") ? constant("workspaces_divided") : constant("workspaces"),
                         .overlap_workspaces = constant.or_none("overlap_workspaces"),
                         .engine_workspaces = constant.or_none("engine_workspaces"),
                         .router_workspaces = constant.or_none("router_workspaces"),
                         .engine_workspace_bytes = constant.or_none("engine_workspace_bytes")};
  if (asked.workspace_kib > 0) runtime.workspace_bytes.value = runtime.workspace_bytes.low = runtime.workspace_bytes.high = asked.workspace_kib << 10;
  return runtime;
}

ComparisonsProfile comparisons_of(const Json& row, std::string_view arch) {
  return {.rows = row.at("rows").get<std::int64_t>(), .less = constant_of(row, "less", arch), .more = constant_of(row, "more", arch)};
}

std::string_view attention_key(AttentionKernel kernel) {
  switch (kernel) {
    case AttentionKernel::cudnn: return "attention_cudnn";
    case AttentionKernel::fused_softmax:
    case AttentionKernel::eager: return "attention_eager";
    case AttentionKernel::profile:
    case AttentionKernel::flash: break;
  }
  return "attention_flash";
}

/// One eager chain of operations is enough to pass through memory again and again.
std::string_view elementwise_key(Fusion norms, Fusion mlp) {
  if (norms == Fusion::compiled && mlp == Fusion::compiled) return "elementwise_compiled";
  return norms == Fusion::eager || mlp == Fusion::eager ? "elementwise_eager" : "elementwise_fused";
}

/// For the code that the profile runs: its kernels of attention and norms.
TrainingEfficiency efficiency_of(const std::string& profile, const std::string& launches, std::string_view arch, AttentionKernel attention, Fusion norms, Fusion mlp, bool few_passes) {
  const Json& file = profile_data("efficiency/training.json");
  const Constants constant{file.at("constants"), arch};
  const bool compiled = norms == Fusion::compiled && mlp == Fusion::compiled;
  const Constants launch{file.at("launches").at(compiled ? "compiled" : launches.c_str()), arch};
  const Json& program = file.at("launches").at(launches.c_str());
  const Constants own{program, arch};
  const Json& early = file.at("stops_early").at("profiles");
  return {.matrices = constant("matrices"),
          .matrices_fp8 = constant("matrices_fp8"),
          .grouped = constant("grouped"),
          .tile_start = constant("tile_start"), .tile_start_fp8 = constant("tile_start_fp8"),
          .unmeasured = constant("unmeasured"),
          .unmeasured_fp8 = constant("unmeasured_fp8"),
          .attention = constant(attention_key(attention).data()),
          .exponential = constant("exponential"),
          .attention_start = constant("attention_start"),
          .recurrence = constant("recurrence"),
          .elementwise_bytes = constant(elementwise_key(norms, mlp).data()),
          .logit_bytes = constant(few_passes ? "logit_bytes_fused" : "logit_bytes"),
          .adapter_bytes = constant("adapter_bytes"),
          .routed_bytes = constant("routed_bytes"),
          .memory = constant("memory"),
          .link = constant("link"),
          .network = constant("network"),
          .message_link = constant("message_link"),
          .message_network = constant("message_network"),
          .overlap = constant("overlap"),
          .drag = constant("drag"),
          .gather_drag = constant("gather_drag"),
          .exchange_drag = constant("exchange_drag"),
          .tensor_exposed = constant("tensor_exposed"),
          .tensor_overlapped = own.has("tensor_overlapped") ? own("tensor_overlapped") : constant("tensor_overlapped"),
          .pageable = constant("pageable"),
          .gathered_tensor = constant("gathered_tensor"),
          .optimizer_bytes = constant("optimizer_bytes"),
          .launch_layer = launch("layer"),
          .launch_experts = launch("experts"),
          .launch_overlap = constant("launch_overlap"),
          .launch_ring = constant("launch_ring"),
          .launch_step = launch("step"),
          .hides_messages = program.value("hides_messages", false),
          .stops_early = std::ranges::find(early, Json(profile)) != early.end(),
          .goodput = constant("goodput"),
          .typical = constant("typical"),
          .typical_node = constant("typical_node")};
}

Profile read_profile(const Catalog::ProfileRow& row, std::string_view arch, const Implementation& asked) {
  const Json& json = profile_data("profiles/" + row.id + ".json");
  Profile profile;
  profile.id = row.id;
  profile.name = row.name;
  profile.about = row.about;
  profile.for_training = row.for_training;
  profile.for_inference = row.for_inference;
  if (profile.for_training) {
    profile.training = training_of(json.at("training"), arch, asked);
    profile.comparisons = comparisons_of(json.at("comparisons"), arch);
    const auto fusion = [&](const char* table, Fusion asked_for) { return chosen(asked_for, named<Fusion>(kFusions, json.at("training").at(table))); };
    profile.efficiency = efficiency_of(profile.id, json.at("training").at("launches").text(), arch, profile.training.attention.kernel, fusion("norms", asked.norms), fusion("mlp", asked.mlp), profile.training.loss.few_passes);
  }
  if (profile.for_inference) {
    profile.inference = inference_of(json.at("inference"), arch);
    profile.inference.efficiencies = efficiencies_of_profile(row.id, arch);
    profile.inference.times = serving_times(row.id);
  }
  if (const auto vocabulary = json.find("vocabulary"); vocabulary != json.end()) {
    profile.vocab_multiple = constant_of(*vocabulary, "multiple", arch);
    profile.vocab_multiple_each = vocabulary->at("of_each_gpu").get<bool>();
  }
  const Json& runtime = json.at("runtime");
  profile.runtime = runtime_of({runtime, arch}, asked);
  profile.runtime.expandable_segments = runtime.value("expandable_segments", false);
  return profile;
}

} // namespace

std::shared_ptr<const Profile> Catalog::profile(std::string_view id, std::string_view arch, const Implementation& asked) const {
  if (!is_profile(id)) return nullptr;
  return kept_->profile(id, arch, asked, [&] { return read_profile(*find_profile(id), arch, asked); });
}

} // namespace plimsoll::io
