// The kernels of a forward pass: which there are follows from the model's tensors and how GPUs divide them. Queries, keys and values are one
// product, as are gate and up: vllm-project/vllm, vllm/model_executor/layers/linear.py, QKVParallelLinear and MergedColumnParallelLinear.
#include "method/time/load/pass.hpp"

#include "method/time/link.hpp"

#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "method/moments/tuned_bytes.hpp"
#include "method/parameters/kinds.hpp"
#include "method/time/draft.hpp"
#include "method/time/efficiency.hpp"
#include "method/time/reads.hpp"
#include "method/time/towers.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <string_view>

namespace plimsoll::timing {

namespace {

double real(Count count) noexcept { return static_cast<double>(count.value); }

/// The kernel format in which a stored matrix is multiplied; "" where numbers are spread out to 16 bits before they are.
std::string_view multiplied_as(const WeightFormat& format) noexcept {
  struct Name {
    std::string_view stored, kernel;
  };
  constexpr Name kNames[] = {{"fp8_block", "fp8_block"}, {"fp8", "fp8"}, {"float8", "fp8"}, {"mxfp8", "fp8"}, {"nvfp4", "nvfp4"}, {"mxfp4", "w4a16_mxfp4"}, {"int4", "int4_wo"},
                             {"gptq_4", "int4_wo"}, {"awq_4", "int4_wo"}, {"w4a16", "int4_wo"}};
  if (is_plain(format)) return "bfloat16";
  for (const Name& name : kNames)
    if (std::string_view{format.id}.starts_with(name.stored)) return name.kernel;
  return "";
}

/// The format of a tensor where most of its layers are stored so.
const WeightFormat& stored_format(const Scenario& scenario, std::size_t tensor) noexcept {
  const StoredTensor* most = nullptr;
  for (const StoredTensor& stored : scenario.weights.tensors)
    if (stored.tensor == tensor && (most == nullptr || stored.layers > most->layers)) most = &stored;
  return scenario.weights.formats[most != nullptr ? most->format : 0];
}

double bytes_of_number(const WeightFormat& format, Count rows, Count columns) noexcept {
  const double numbers = real(rows) * real(columns);
  return numbers > 0 ? static_cast<double>(stored_bytes(format, rows, columns).value) / numbers : 2.0;
}

constexpr std::int64_t kMeasuredGpus = 8; ///< of the most that kernels of collectives were measured on
/// Nanoseconds from one node to another in NCCL's tree, whatever goes: NVIDIA/nccl, src/graph/tuning.cc, hwLatencies, NET, tree, LL128.
constexpr double kNetworkHop = 8'500;

/// Of one host in a node whose GPUs exchange without the network. Racks that are one such node have hosts of four: NVIDIA GB200 NVL72, 18 trays for 72 GPUs.
constexpr std::int64_t gpus_of_host(std::int64_t per_node) noexcept {
  constexpr std::int64_t kLargestHost = 16, kTray = 4;
  return per_node > kLargestHost ? kTray : std::min(per_node, kMeasuredGpus);
}

/// Times that `few` have to be doubled to be `many` or more.
double doublings(std::int64_t few, std::int64_t many) noexcept {
  double times = 0;
  for (std::int64_t reached = std::max<std::int64_t>(few, 1); reached < many; reached *= 2) ++times;
  return times;
}

bool is_half(CacheDtype dtype) noexcept { return dtype == CacheDtype::bf16 || dtype == CacheDtype::fp16 || dtype == CacheDtype::fp32; }

} // namespace

PassModel::Numbered PassModel::numbers(const Scenario& scenario, Kernel kernel, std::string_view format, Arithmetic arithmetic, std::string_view source) {
  const kernels::Chosen chosen = kernels::choose(times_->kernels(), *class_, kernel, format, times_->engine, source);
  if (chosen.row != nullptr && !chosen.own_class) own_class_ = false;
  Numbered numbered{chosen.row, kernels::gpu_of(scenario.hardware, *class_, arithmetic)};
  numbered.gpu.flop *= class_->sustained;
  // The engine's own products, which begin as soon as another's do.
  if (kernel == Kernel::matrices && chosen.row != nullptr && chosen.row->engine != times_->engine)
    if (const KernelRow* const own = kernels::measured_with_host(times_->kernels(), chosen.row->device_class, kernel, format, times_->engine)) {
      constexpr std::size_t kLaunch = kernels::MatrixNumber::launch;
      numbered.row = own;
      numbered.host = std::max(0.0, own->numbers[kLaunch] - chosen.row->numbers[kLaunch]);
    }
  return numbered;
}

void PassModel::add_matrices(const Scenario& scenario, const Stage& stage) {
  const Model& model = scenario.model;
  for (std::size_t i = 0; i < model.tensors.size();) {
    const ModelTensor& first = model.tensors[i];
    const Tensor& tensor = first.tensor;
    const LayerGroup* const group = model.group_of(first);
    const bool is_head = tensor.kind == TensorKind::head;
    const bool multiplied = tensor.matrix && in_language_model(tensor.kind) && tensor.kind != TensorKind::embedding && tensor.kind != TensorKind::positions && !is_routed(tensor.kind) &&
                            tensor.active_rows == Count{0} && (group != nullptr || is_head);
    const std::size_t at = i++;
    if (!multiplied) continue;
    const TensorShare share = tensor_share(tensor, scenario.strategy);
    Count rows = share.rows, copies = tensor.active;
    // further maps of the same input
    for (; i < model.tensors.size(); ++i) {
      const Tensor& next = model.tensors[i].tensor;
      if (model.tensors[i].group != first.group || next.kind != tensor.kind || next.columns != tensor.columns || next.split != tensor.split || !next.matrix || next.active_rows > Count{0} ||
          next.active != tensor.active || is_head || tensor.split == Split::columns)
        break;
      rows += tensor_share(next, scenario.strategy).rows;
    }
    const WeightFormat& format = stored_format(scenario, at);
    const double weight_bytes = bytes_of_number(format, tensor.rows, tensor.columns);
    const kernels::Format* known = kernels::find_format(multiplied_as(format));
    Numbered numbered;
    if (known != nullptr && scenario.hardware.rates.of(known->arithmetic) > 0) numbered = numbers(scenario, Kernel::matrices, known->id, known->arithmetic);
    const bool own = numbered.row != nullptr;
    if (!own) numbered = numbers(scenario, Kernel::matrices, "bfloat16", Arithmetic::bf16);
    if (numbered.row == nullptr) continue;
    const bool together = (tensor.kind == TensorKind::mlp || tensor.kind == TensorKind::shared_experts) && scenario.strategy.dense_tensor_parallel > 0;
    const double layers = group != nullptr ? real(stage.held(*group)) : 1.0;
    matrices_.push_back({numbered, real(rows), real(share.columns), layers * real(copies), own ? known->token_bytes : 2.0, own && known->id != "bfloat16" ? weight_bytes : std::min(weight_bytes, 2.0),
                         together ? real(sequences_at_experts(Count{1}, scenario.strategy)) : 1.0, is_head, first.group,
                         tensor.kind == TensorKind::shared_experts});
  }
  if (model.tied_embeddings && model.has_head && stage.has_head())
    if (const Numbered numbered = numbers(scenario, Kernel::matrices, "bfloat16", Arithmetic::bf16); numbered.row != nullptr)
      matrices_.push_back({numbered, real(vocab_share(model, scenario.strategy)), real(model.hidden_size), 1, 2, 2, 1, true});
}

void PassModel::add_groups(const Scenario& scenario, const Stage& stage) {
  const Model& model = scenario.model;
  const bool eighths = !is_half(scenario.serving.kv_dtype);
  const std::string_view cached = eighths ? "bfloat16/fp8" : "bfloat16/bfloat16";
  for (std::size_t at = 0; at < model.groups.size(); ++at) {
    const LayerGroup& group = model.groups[at];
    const double layers = real(stage.held(group));
    if (layers <= 0) continue;
    layers_ += layers;
    const LayerShare share = layer_share(group, scenario.strategy);
    const double per_token = static_cast<double>(memory::kv_cache_of_layer(scenario, group).value);
    if (group.attention.query_heads > Count{0}) {
      const Attention& attention = group.attention;
      const double width = std::max(1.0, real(attention.head_dim)), values = attention.value_dim > Count{0} ? real(attention.value_dim) : width;
      const double heads = std::max(1.0, real(share.query_heads)), kept = std::max(1.0, real(share.key_width) / width);
      const double window = attention.pattern == AttentionPattern::full ? 0.0 : real(attention.window);
      kernels::Attending shape{1, 1, 0, heads, std::min(kept, heads), width, values, per_token / kept, window};
      Core core{numbers(scenario, Kernel::prompt_attention, cached, Arithmetic::bf16), numbers(scenario, Kernel::decode_attention, cached, Arithmetic::bf16), shape, shape, layers,
                real(max(attention.compression, Count{1}))};
      if (core.prompt.row == nullptr) core.prompt = numbers(scenario, Kernel::prompt_attention, "bfloat16/bfloat16", Arithmetic::bf16);
      if (core.decode.row == nullptr) core.decode = numbers(scenario, Kernel::decode_attention, "bfloat16/bfloat16", Arithmetic::bf16);
      cores_.push_back(core);
    }
    if (group.latent.heads > Count{0}) {
      const LatentAttention& latent = group.latent;
      const double heads = std::max(1.0, real(share.query_heads)), rank = real(latent.kv_rank), turned = real(latent.rope_dim);
      kernels::Attending prompt{1, 1, 0, heads, heads, real(latent.nope_dim) + turned, real(latent.value_dim), 2 * (real(latent.nope_dim) + turned + real(latent.value_dim)), 0};
      kernels::Attending decode{1, 1, 0, heads, 1, rank + turned, rank, per_token, 0};
      cores_.push_back({numbers(scenario, Kernel::prompt_latent, cached, Arithmetic::bf16), numbers(scenario, Kernel::decode_latent, cached, Arithmetic::bf16), prompt, decode,
                        layers * real(latent.copies), 1});
    }
    if (memory::recurs(group)) {
      const double channels = real(work_share(model.hidden_size, group, scenario.strategy));
      const Count once{1};
      state_bytes_ += layers * static_cast<double>(memory::recurrent_state(scenario, group, once, once).amount);
      for (const auto& [prompt, decode] : {std::pair{"causal_conv1d_fn", "causal_conv1d_update"}, std::pair{"chunk_gated_delta_rule", "fused_recurrent_gated_delta_rule_packed_decode"}})
        walks_.push_back({numbers(scenario, Kernel::recurrence_prompt, "gdn", Arithmetic::bf16, prompt), numbers(scenario, Kernel::recurrence_decode, "gdn", Arithmetic::bf16, decode), channels, layers});
    }
    if (!memory::has_experts(group)) continue;
    const ModelTensor* const experts = experts_of(model, at);
    if (experts == nullptr) continue;
    const WeightFormat& format = stored_format(scenario, static_cast<std::size_t>(experts - model.tensors.data()));
    const kernels::Format* known = kernels::find_format(multiplied_as(format));
    if (known != nullptr && known->id == "w4a16_mxfp4" && scenario.hardware.rates.of(Arithmetic::fp4) > 0) known = kernels::find_format("w4a8_mxfp4_mxfp8");
    Numbered numbered;
    if (known != nullptr && scenario.hardware.rates.of(known->arithmetic) > 0) numbered = numbers(scenario, Kernel::experts, known->id, known->arithmetic);
    const bool own = numbered.row != nullptr;
    if (!own) numbered = numbers(scenario, Kernel::experts, "bfloat16", Arithmetic::bf16);
    if (numbered.row == nullptr) continue;
    const double here = std::max(1.0, real(copies_per_gpu(experts->tensor, scenario.strategy)));
    kernels::Experts shape{1, real(group.moe.per_token), real(group.moe.experts), std::max(1.0, real(group.moe.experts) / here), real(group.moe.latent_size > Count{0} ? group.moe.latent_size : model.hidden_size),
                           std::max(1.0, real(share.expert)), memory::gated(group) ? 3.0 : 2.0, own ? known->token_bytes : 2.0,
                           bytes_of_number(format, experts->tensor.rows, experts->tensor.columns), 0};
    routed_.push_back({numbered, shape, kernels::liking_of(shape.experts, shape.groups, shape.chosen, static_cast<int>(times_->step.imbalance)), layers, real(sequences_at_experts(Count{1}, scenario.strategy)), at});
  }
}

void PassModel::add_messages(const Scenario& scenario, const Stage& stage) {
  double routed = 0;
  for (const LayerGroup& group : scenario.model.groups)
    if (memory::has_experts(group)) routed += real(stage.held(group));
  const double state = hidden_ * static_cast<double>(scenario.weights.compute_bytes.value);
  const Hardware& hardware = scenario.hardware;
  const std::int64_t per_node = std::max<std::int64_t>(hardware.gpus_per_node, 1);
  const auto here_of = [&](std::int64_t members) { return members_in_node({Count{members}, Count{members}}, per_node).value; };
  // `span`: GPUs side by side among which those that take part are.
  const auto joined = [&](Kernel kernel, double span) {
    // Engines have kernels of their own for up to eight GPUs of one host that reach each other's memory: vllm-project/vllm,
    // vllm/distributed/device_communicators/custom_all_reduce.py, _SUPPORTED_WORLD_SIZES and in_the_same_node_as. Beyond a node its members share
    // their adapters.
    const auto members = static_cast<std::int64_t>(span);
    const bool near = members <= per_node, own = members <= gpus_of_host(per_node) && reach_each_other(hardware, members);
    Numbered numbered = numbers(scenario, kernel, "any", Arithmetic::bf16, own ? "" : "NCCL");
    const std::int64_t here = here_of(members), adapters = (Count{hardware.network_bytes_per_s} * Count{here}).value;
    const bool linked = here > 1 && hardware.rates.link > 0;
    numbered.gpu.link = static_cast<double>(near ? between_gpus(hardware, members) : linked ? std::min(adapters, between_gpus(hardware, here)) : adapters);
    if (numbered.gpu.link <= 0) numbered.row = nullptr;
    return numbered;
  };
  const bool apart = replicas_share_experts(scenario.strategy);
  if (const std::int64_t group = scenario.strategy.tensor_parallel; group > 1) {
    const std::int64_t here = here_of(group), measured = std::min(here, kMeasuredGpus);
    Sending sum{joined(Kernel::all_reduce, static_cast<double>(group)), apart ? 2 * layers_ - routed : 2 * layers_, state, static_cast<double>(std::max<std::int64_t>(measured, 2)), 2};
    // From there on NCCL goes up and down a tree, across nodes by the network.
    const double hop = sum.numbered.row != nullptr ? sum.numbered.row->numbers[kernels::CollectiveNumber::hop] : 0.0;
    sum.far = 2 * (doublings(measured, here) * hop + doublings(here, group) * kNetworkHop);
    sending_.push_back(sum);
  }
  // Every replica's tokens go to all, and sums of what experts made of them come back: vllm-project/vllm,
  // vllm/distributed/device_communicators/all2all.py, AgRsAll2AllManager.
  if (apart && routed > 0) {
    const double replicas = real(sequences_at_experts(Count{1}, scenario.strategy));
    for (const Kernel kernel : {Kernel::all_gather, Kernel::reduce_scatter}) sending_.push_back({joined(kernel, replicas), routed, state * replicas, std::max(2.0, replicas), 1});
  }
  // Hidden state and residual stream: vllm-project/vllm, vllm/model_executor/models/llama.py, make_empty_intermediate_tensors. What one GPU
  // sends to one other is half a gather of two.
  if (const Count hops = hops_of(scenario.strategy), gpus = gpus_of_a_replica(scenario.strategy); hops > Count{0})
    sending_.push_back({joined(Kernel::all_gather, real(gpus)), real(hops), 2 * 2 * state, 2, 1, gpus.value > per_node ? kNetworkHop : 0.0});
}

void PassModel::add_what_drafts(const Scenario& scenario) {
  if (!drafts(scenario)) return;
  drafting_ = efficiency_of(scenario.profile.inference, scenario.hardware);
  accepted_ = std::max<std::int64_t>(accepted_tokens(scenario).expected.value, 1);
  positions_ = static_cast<double>(scenario.serving.draft_tokens + 1);
}

/// Whether there are numbers for all that the model computes.
bool PassModel::add_kernels(const Scenario& scenario, const Stage& stage) {
  const Rates& rates = scenario.hardware.rates;
  const bool multiplies = rates.of(Arithmetic::bf16) > 0 || rates.of(Arithmetic::fp16) > 0;
  if (times_->kernels == nullptr || rates.memory <= 0 || !multiplies || moments::is_stored_in_fp32(scenario.weights) || uses_host(scenario.strategy)) return false;
  class_ = kernels::class_of(times_->kernels(), scenario.hardware);
  if (class_ == nullptr) return false;
  add_matrices(scenario, stage);
  add_groups(scenario, stage);
  add_messages(scenario, stage);
  return !matrices_.empty() && std::ranges::none_of(cores_, [](const Core& core) { return core.prompt.row == nullptr || core.decode.row == nullptr; });
}

std::optional<PassModel> PassModel::of(const Scenario& scenario) {
  const ServingTimes* const times = scenario.profile.inference.times;
  const auto looks_at_encoder = [](const LayerGroup& group) { return group.encoder || group.cross.query_heads > Count{0}; };
  if (times == nullptr || trains(scenario.workload.task) || std::ranges::any_of(scenario.model.groups, looks_at_encoder)) return std::nullopt;
  PassModel model;
  model.scenario_ = &scenario;
  model.times_ = times;
  const Strategy passed = without_stages(scenario.strategy);
  const Stage stage{scenario.model, passed, scenario.workload, 0};
  model.hidden_ = real(scenario.model.hidden_size);
  model.logprobs_ = scenario.serving.logprobs;
  model.memory_ = std::max(1.0, static_cast<double>(scenario.hardware.rates.memory));
  if (!model.add_kernels(scenario, stage)) {
    model.roofline_ = RooflinePass::of(scenario);
    if (!model.roofline_) return std::nullopt;
    model.own_class_ = true;
  }
  model.add_what_drafts(scenario);
  model.pass_tokens_ = static_cast<double>(std::max<std::int64_t>(times->scheduling.pass_tokens > 0 ? times->scheduling.pass_tokens : scenario.workload.prefill_tokens, 1));
  if (const Efficiency* const efficiency = efficiency_of(scenario.profile.inference, scenario.hardware))
    visit_towers(scenario, *efficiency, [&](const Term& term) { model.tower_ += real(term.count()); });
  model.link_ = real(link_reads(scenario, stage, Count{1}, Count{std::max<std::int64_t>(scenario.workload.batch, 1)}).count());
  return model;
}

std::int64_t PassModel::most_running(const Scenario& scenario) const noexcept {
  const std::int64_t stated = scenario.serving.max_sequences > 0 ? scenario.serving.max_sequences : scenario.workload.batch, own = times_->scheduling.sequences; // a slot for each sequence (llama.cpp)
  const bool is_default = stated == scenario.profile.inference.sequences.value;
  return std::max<std::int64_t>(1, own > 0 && is_default ? own : stated);
}

std::int64_t PassModel::prompt_tokens() const noexcept { return (Count{kernels::whole_part(pass_tokens_)} * (hops_of(scenario_->strategy) + Count{1})).value; }

Mix PassModel::of_one(const Mix& all) const noexcept {
  const Strategy& strategy = scenario_->strategy;
  const double under_way = 1 + real(hops_of(strategy));
  if (under_way <= 1) return all;
  Mix one = all;
  if (all.decoding > 0) one.decoding = std::max(1.0, in_one_pass(all.decoding, strategy));
  const double reading = std::clamp(all.prompts * all.fresh / pass_tokens_, 1.0, under_way); // passes that read prompts
  one.prompts = all.prompts / reading;
  one.finished = all.finished / reading;
  return one;
}

/// Both read from the same memory, whichever ends later.
void PassModel::add_experts(double tokens, bool beside, PassTimes& times) const noexcept {
  for (const Routed& of : routed_) {
    kernels::Experts shape = of.shape;
    shape.tokens = tokens * of.tokens;
    const kernels::Load load = kernels::load_of(of.liking, shape.tokens);
    double chosen = of.layers * kernels::experts_ns(shape, load, of.numbered.gpu, of.numbered.row->numbers, of.numbered.row->tiles);
    if (beside) {
      double shared = 0, bytes = of.layers * load.met * shape.maps * shape.hidden * shape.inner * shape.weight_bytes;
      for (const Matrix& matrix : matrices_)
        if (matrix.shared && matrix.group == of.group) shared += matrix.ns(tokens * matrix.tokens), bytes += matrix.layers * matrix.n * matrix.k * matrix.weight_bytes;
      if (shared > 0) chosen = std::max({chosen, shared, kernels::ns_of(bytes, memory_)});
    }
    times.experts += chosen;
  }
}

/// Kernel by kernel, and what the engine adds to them.
void PassModel::add_measured(const Mix& mix, double tokens, PassTimes& times) const noexcept {
  const double prompt_tokens = mix.prompts * mix.fresh, decoded = mix.decoding * positions_;
  const StepTimes& step = times_->step;
  const bool beside = prompt_tokens <= 0 && tokens <= step.beside && !routed_.empty();
  for (const Matrix& of : matrices_) {
    const double rows = of.sampled ? decoded + mix.finished : tokens * of.tokens;
    if (rows > 0 && !(beside && of.shared)) times.matrices += of.ns(rows);
  }
  for (const Core& of : cores_) {
    if (mix.decoding > 0) {
      kernels::Attending shape = of.decode_shape;
      shape.sequences = mix.decoding;
      shape.before = mix.context / of.compression;
      times.attention += of.layers * kernels::decode_attention_ns(shape, of.decode.gpu, of.decode.row->numbers);
    }
    if (prompt_tokens > 0) {
      kernels::Attending shape = of.shape;
      shape.sequences = mix.prompts;
      shape.fresh = mix.fresh;
      shape.before = mix.before / of.compression;
      times.attention += of.layers * kernels::prompt_attention_ns(shape, of.prompt.gpu, of.prompt.row->numbers);
    }
  }
  for (const Walk& of : walks_) {
    if (mix.decoding > 0 && of.decode.row != nullptr) times.recurrences += of.layers * kernels::recurrence_ns({mix.decoding, positions_, of.channels}, of.decode.gpu, of.decode.row->numbers);
    if (prompt_tokens > 0 && of.prompt.row != nullptr) times.recurrences += of.layers * kernels::recurrence_ns({mix.prompts, mix.fresh, of.channels}, of.prompt.gpu, of.prompt.row->numbers);
  }
  // What was measured had states of other sizes.
  times.recurrences = std::max(times.recurrences, kernels::ns_of((mix.decoding + mix.prompts) * 2 * state_bytes_, memory_));
  add_experts(tokens, beside, times);
  for (const Sending& of : sending_)
    if (of.numbered.row != nullptr) times.communication += of.times * (kernels::collective_ns({of.bytes * tokens, of.gpus, of.rounds}, of.numbered.gpu, of.numbered.row->numbers) + of.far);
  for (double* part : {&times.matrices, &times.attention, &times.experts, &times.recurrences, &times.communication}) *part *= step.kernels;
  times.short_kernels = layers_ * (step.layer + kernels::ns_of(tokens * hidden_ * step.token_bytes, memory_));
  if (prompt_tokens > 0) times.short_kernels += std::max(0.0, layers_ * step.prompt_layer - times.total());
  times.host = host_of_pass() + (mix.decoding + mix.finished) * host_of_sequence();
}

PassTimes PassModel::at(const Mix& all) const noexcept {
  PassTimes times;
  const Mix mix = of_one(all);
  const double tokens = mix.decoding * positions_ + mix.prompts * mix.fresh;
  if (tokens <= 0) return times;
  times.link = link_;
  times.towers = tower_ * mix.finished;
  if (roofline_) roofline_->add(mix, positions_, times);
  else add_measured(mix, tokens, times);
  if (drafting_ != nullptr && mix.decoding > 0)
    visit_draft(*scenario_, *drafting_, Count{kernels::whole_part(all.decoding + 0.5)}, [&](const Term& term) { times.drafting += real(term.count()); });
  return times;
}

} // namespace plimsoll::timing
