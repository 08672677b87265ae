// How Megatron Core is told to run (NVIDIA/Megatron-LM, megatron/training/arguments.py; megatron/core/model_parallel_config.py).
#include "files/training/megatron_shared.hpp"

#include "files/training/megatron_reader.hpp"
#include "files/training/megatron_values.hpp"
#include "files/training/megatron_words.hpp"
#include "files/training/precision.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

class Reader : MegatronReader {
public:
  using MegatronReader::MegatronReader;

  void run() {
    read_degrees();
    read_pipeline();
    read_sharding();
    read_precision();
    read_recompute();
    read_module_offload();
    read_megatron_offload(document_, draft_, dialect_);
    read_kernels();
    read_experts();
    read_batches();
    if (arguments()) refuse_other_runs(document_, draft_);
  }

private:
  void read_degrees() {
    draft_.set_above_one("tensor_parallel", whole("tensor-model-parallel-size"));
    draft_.set_above_one("pipeline_parallel", whole("pipeline-model-parallel-size"));
    draft_.set_above_one("context_parallel", whole("context-parallel-size"));
    draft_.set_above_one("expert_parallel", whole("expert-model-parallel-size"));
    const auto expert_tensor = whole("expert-tensor-parallel-size");
    if (expert_tensor != whole("tensor-model-parallel-size").value_or(1) && (whole("num-experts").value_or(0) > 0 || (!arguments() && draft_.has("expert_parallel")))) // recipes name a model that has experts
      draft_.set_if("expert_tensor_parallel", expert_tensor);
    if (!arguments() && !expert_tensor && draft_.has("expert_parallel") && draft_.has("tensor_parallel") && whole("num-experts").value_or(0) == 0) // src/megatron/bridge/recipes
      draft_.set_assumed("expert_tensor_parallel", "1", "recipes of Megatron Bridge leave each expert whole");
    const bool sequence = is_on("sequence-parallel");
    if (sequence && draft_.has("tensor_parallel")) draft_.set("sequence_parallel", "true");
    const std::string method = text("cp-comm-type");
    if (method.empty() || !draft_.has("context_parallel")) return;
    if (const std::string_view choice = choice_of(kContextMethods, method); !choice.empty()) draft_.set("context_method", choice);
    else document_.refuse(key("cp-comm-type"), "p2p, all_gather or a2a");
  }

  void read_layers_per_chunk() {
    const auto per_chunk = document_.whole("num-layers-per-virtual-pipeline-stage");
    if (!per_chunk) return;
    const std::int64_t stages = stated("pipeline_parallel"), layers = document_.whole("num-layers").value_or(0);
    if (*per_chunk > 0 && stages > 0 && layers % stages == 0) draft_.set_above_one("virtual_stages", layers / stages / *per_chunk);
    else document_.refuse("num-layers-per-virtual-pipeline-stage", "a part of the layers of a stage");
  }

  void read_layout() {
    const std::string layout = text("pipeline-model-parallel-layout");
    if (layout.empty()) return;
    const auto chunks = chunks_of_layout(layout);
    if (!chunks) return document_.refuse(key("pipeline-model-parallel-layout"), "a layout such as Et*3|(tt|)*6L");
    std::vector<std::size_t> layers;
    for (const std::string& chunk : *chunks) {
      layers.push_back(static_cast<std::size_t>(std::ranges::count(chunk, 't')));
      if (chunk.find('m') != std::string::npos && chunk.find('L') == std::string::npos)
        return draft_.refuse(key("pipeline-model-parallel-layout"), "Prediction depths on another stage than the loss are not covered.", "Put them beside the loss: mL.");
    }
    set_megatron_chunks(draft_, layers);
  }

  void read_pipeline() {
    read_layout();
    const auto chunks = whole("num-virtual-stages-per-pipeline-rank");
    draft_.set_above_one("virtual_stages", chunks);
    if (arguments()) read_layers_per_chunk();
    draft_.set_if("microbatch_group", whole("microbatch-group-size-per-virtual-pipeline-stage"));
    draft_.set_if("first_stage_layers", whole("decoder-first-pipeline-num-layers"));
    draft_.set_if("last_stage_layers", whole("decoder-last-pipeline-num-layers"));
    if (is_on("account-for-embedding-in-pipeline-split")) draft_.set("embedding_in_split", "true");
    if (is_on("account-for-loss-in-pipeline-split")) draft_.set("loss_in_split", "true");
    if (is_on("defer-embedding-wgrad-compute")) draft_.set("defer_head_gradient", "true");
    if (draft_.has("defer_head_gradient")) draft_.set_if("deferred_micro_batches", whole("wgrad-deferral-limit"));
  }

  void read_sharding() {
    const bool fsdp = is_on("use-megatron-fsdp") || (arguments() && document_.is_on("use-custom-fsdp")); // its name until 2025
    const std::string strategy = text("data-parallel-sharding-strategy");
    if (is_on("use-distributed-optimizer")) draft_.set("sharding", "optimizer");
    if (fsdp || !strategy.empty()) {
      const std::string_view choice = choice_of(kShardings, strategy.empty() ? "no_shard" : strategy);
      if (choice.empty()) document_.refuse(key("data-parallel-sharding-strategy"), "no_shard, optim, optim_grads or optim_grads_params");
      else if (fsdp) draft_.set("sharding", choice);
    }
    instances_ = whole("num-distributed-optimizer-instances").value_or(1);
    if (is_on("optimizer-cpu-offload")) draft_.set("offload", "optimizer");
    read_state_formats();
    const std::string optimizer = text("optimizer");
    if (optimizer == "adam" || optimizer.empty() || optimizer == "adamw") draft_.set("optimizer", "adamw_fused");
    else if (optimizer == "sgd") draft_.set("optimizer", "sgd_momentum");
    else if (optimizer == "muon" || optimizer == "dist_muon") draft_.set("optimizer", "muon");
    else document_.refuse(key("optimizer"), "adam, sgd or muon");
    if (optimizer.empty() && arguments()) draft_.assume("optimizer = adamw_fused: --optimizer is adam by itself");
  }

  /// megatron/core/optimizer/optimizer_config.py: only --use-precision-aware-optimizer takes other formats than fp32 for main weights, gradients
  /// and moments; __init__.py: Transformer Engine then keeps main weights as remainders of the bf16 ones, but for scales that its kernel lacks.
  void read_state_formats() {
    const bool aware = is_on("use-precision-aware-optimizer");
    const auto refuse = [&](const char* argument, const std::string& format) {
      draft_.refuse(key(argument), "The optimizer keeps a part of its state in " + format + ", which is not covered" + (aware ? "." : " without --use-precision-aware-optimizer."), "Take it as fp32: leave the key out.");
    };
    const auto narrow = [&](const char* argument) {
      const std::string format = text(argument);
      const bool half = format == "bf16" || format == "torch.bfloat16", wide = format.empty() || format == "fp32" || format == "auto" || format == "torch.float32";
      if (!wide && !half) refuse(argument, format);
      return half;
    };
    const bool first = narrow("exp-avg-dtype"), second = narrow("exp-avg-sq-dtype"), main = narrow("main-grads-dtype");
    if (first != second) refuse(first ? "exp-avg-dtype" : "exp-avg-sq-dtype", "bf16 beside another in fp32");
    else if (first && !aware) refuse("exp-avg-dtype", "bf16");
    else if (first) draft_.set("moment_dtype", "half");
    if (main && !aware) refuse("main-grads-dtype", "bf16");
    narrow_gradients_ = narrow("megatron-fsdp-main-grads-dtype") || (main && aware);
    for (const char* argument : {"main-params-dtype", "megatron-fsdp-main-params-dtype"})
      if (narrow(argument)) refuse(argument, "bf16");
    const std::string recipe = lower_case(text("fp8-recipe"));
    if (aware && !draft_.has("offload") && (recipe.empty() || recipe == "delayed")) draft_.set("master_remainders", "true");
    const auto fraction = real("optimizer-offload-fraction");
    if (fraction && *fraction < 1 && draft_.has("offload")) draft_.refuse(key("optimizer-offload-fraction"), "Only a part of the optimizer is on the host, which is not covered.", "Leave the key out: all of it then is.");
  }

  void read_precision() {
    bool bf16 = is_on("bf16"), fp16 = is_on("fp16");
    std::string named = arguments() ? "" : lower_case(document_.text("mixed_precision"));
    for (const char* other : {"trainer.precision", "compute_dtype", "c"}) // of NeMo, and of Megatron Bridge's scripts
      if (named.empty() && !arguments()) named = lower_case(document_.text(other));
    if (named.find("bf16") != std::string::npos || named.starts_with("fp8") || named.find("fp4") != std::string::npos) bf16 = true; // what is not in 8 bits
    else if (named.find("16") != std::string::npos) fp16 = true;
    else if (!named.empty() && named.find("32") == std::string::npos) document_.refuse(document_.has("mixed_precision") ? "mixed_precision" : "trainer.precision", "bf16_mixed, 16_mixed or 32");
    const bool silent = named.empty() && !bf16 && !fp16 && !document_.has(key("bf16")) && !document_.has(key("fp16"));
    if (silent && !arguments()) draft_.set_assumed("precision", "master_bf16", "recipes of NeMo and Megatron Bridge train in bf16_mixed by themselves");
    else if (silent) draft_.set_assumed("precision", "fp32", "neither --bf16 nor --fp16 is set");
    else draft_.set("precision", bf16 ? "master_bf16" : fp16 ? "master_fp16" : "fp32");
    const bool wide = is_on("accumulate-allreduce-grads-in-fp32");
    const bool narrow = is_on("grad-reduce-in-bf16") || narrow_gradients_; // otherwise validate_args turns the fp32 ones on with --bf16
    const bool follows = arguments() && fp16 && !bf16; // with --fp16 they have its format unless the argument widens them
    if (wide) draft_.set("gradient_dtype", "fp32");
    else if (narrow || follows) draft_.set("gradient_dtype", "half");
    const std::string format = text("fp8-format");
    const bool gathered = is_on("fp8-param-gather");
    if (!format.empty() && format != "null" && format != "false") draft_.set("fp8", gathered ? "parameters" : "compute");
    else if (named.find("fp8") != std::string::npos) draft_.set("fp8", gathered ? "parameters" : "compute");
    read_scales(named);
  }

  /// megatron/training/arguments.py, --fp8-recipe and --fp4-format; Megatron Bridge, src/megatron/bridge/training/mixed_precision.py, names
  /// recipes: bf16_with_mxfp8_mixed, bf16_with_fp8_subchannel_scaling_mixed, bf16_with_nvfp4_mixed; fp8_cs, fp8_mx, nvfp4 of its scripts.
  void read_scales(std::string_view named) {
    const std::string recipe = lower_case(text("fp8-recipe")), four = lower_case(text("fp4-format"));
    const auto says = [&](std::string_view word) { return named.find(word) != std::string_view::npos; };
    if ((!four.empty() && four != "null" && four != "none") || says("fp4")) {
      draft_.set("fp8", "compute");
      return draft_.set("fp8_recipe", "nvfp4");
    }
    if (!draft_.has("fp8")) return;
    if (recipe == "mxfp8" || says("mxfp8") || says("fp8_mx") || says("fp8mx")) draft_.set("fp8_recipe", "mxfp8");
    else if (recipe == "blockwise" || says("subchannel") || says("fp8_sc")) draft_.set("fp8_recipe", "block");
    else if (recipe == "delayed" || says("delayed") || (recipe.empty() && arguments())) draft_.set("fp8_recipe", "delayed");
    else if (!recipe.empty() && recipe != "tensorwise" && recipe != "null") document_.refuse(key("fp8-recipe"), "delayed, tensorwise, blockwise or mxfp8");
  }

  /// The list of modules under a key, joined by commas as the input `field` takes them: "none" where it is empty, nothing where there is no
  /// such key.
  std::string modules_of(std::string_view argument, std::string_view field, bool is_used) {
    if (!is_used) {
      document_.take(key(argument));
      return {};
    }
    if (!has(argument)) return {};
    std::string joined;
    const std::span<const Choice> known = find_field(field)->parts;
    for (const std::string& module : document_.texts(key(argument))) {
      if (std::ranges::find(known, module, &Choice::name) == known.end()) {
        draft_.refuse(key(argument), "The module " + quoted(std::string_view{module}) + " is not covered.", "Leave it out for an estimate without it.");
        continue;
      }
      joined.append(joined.empty() ? "" : ",").append(module);
    }
    return joined.empty() ? "none" : joined;
  }

  /// Inputs of modules that wait in the host's memory.
  void read_module_offload() {
    const bool is_used = is_on("fine-grained-activation-offloading");
    const std::string modules = modules_of("offload-modules", "offload_modules", is_used);
    if (!is_used) return;
    if (modules.empty() || modules == "none")
      return draft_.refuse(key("fine-grained-activation-offloading"), "No modules are named whose inputs would leave the device.", "Name them under offload-modules, or leave the key out.");
    draft_.set("offload_modules", modules);
  }

  void read_recompute() {
    const std::string granularity = text("recompute-granularity"), method = text("recompute-method");
    const auto layers = whole("recompute-num-layers");
    const bool arguments = dialect_ == MegatronDialect::arguments;
    const std::string older = arguments ? text("activations-checkpoint-method") : "";
    if (arguments && (is_on("checkpoint-activations") || !older.empty())) { // their names in Megatron-LM 2 (megatron/arguments.py), and in Megatron-DeepSpeed
      draft_.set("recompute", older == "block" ? "block" : "full");
      return draft_.set("recompute_layers", std::max<std::int64_t>(whole(older.empty() ? "checkpoint-num-layers" : "activations-checkpoint-num-layers").value_or(1), 1));
    }
    if (is_on("moe-layer-recompute") && granularity != "full") { // its name before there were modules
      draft_.set("recompute", "selective");
      return draft_.set("recompute_modules", granularity == "selective" ? "core_attn,moe" : "moe");
    }
    const std::string modules = modules_of("recompute-modules", "recompute_modules", granularity == "selective");
    if (is_on("recompute-activations") && granularity.empty()) return draft_.set("recompute", "selective");
    if (granularity.empty()) return;
    if (granularity == "selective") {
      if (modules == "none") return draft_.set("recompute", "none"); // an empty list
      draft_.set("recompute", "selective");
      if (!modules.empty()) draft_.set("recompute_modules", modules);
      return;
    }
    if (granularity != "full") return document_.refuse(key("recompute-granularity"), "full or selective");
    if (method == "block" && layers == 0) return draft_.set("recompute", "none"); // megatron/core/transformer/transformer_block.py: so many layers of a stage
    draft_.set("recompute", method == "block" ? "block" : "full");
    draft_.set("recompute_layers", std::max<std::int64_t>(layers.value_or(1), 1));
  }

  /// Dropout of one tenth stands where nobody says otherwise.
  bool drops(std::string_view argument) {
    const Json* value = document_.take(key(argument));
    if (value == nullptr) return arguments();
    const std::string text = plain_text(*value);
    return text.find_first_not_of("0.") != std::string::npos;
  }

  void read_kernels() {
    const bool hidden = drops("hidden-dropout"), attention = drops("attention-dropout");
    draft_.set("hidden_dropout", hidden ? "true" : "false");
    draft_.set("attention_dropout", attention ? "true" : "false");
    if (arguments() && (hidden || attention) && !document_.has("hidden-dropout")) draft_.assume("hidden_dropout and attention_dropout: 0.1 by themselves");
    read_attention_kernel();
    read_environment();
    if (arguments() && !document_.is_on("no-create-attention-mask-in-dataloader")) draft_.set("attention_mask", "true");
    const std::string fused = text("cross-entropy-fusion-impl");
    if (is_on("cross-entropy-loss-fusion")) draft_.set("loss", fused == "te" ? "te_fused" : "megatron_fused");
    if (draft_.text("loss") == "megatron_fused") // runs of one file in several containers of tests/functional_tests/test_cases
      draft_.say(Severity::note, key("cross-entropy-loss-fusion"), "PyTorch compiles the fused loss: what it holds besides the logits depends on its version.", "Compare the peak with a log where the vocabulary is a large part of it.");
    if (arguments()) draft_.set("fused_gradient_accumulation", document_.is_on("no-gradient-accumulation-fusion") ? "false" : "true");
    if (is_on("deterministic-mode") || document_.truth("env.NVTE_ALLOW_NONDETERMINISTIC_ALGO") == false) draft_.set("deterministic", "true");
    const bool overlap = is_on("tp-comm-overlap");
    if (overlap && draft_.has("tensor_parallel")) draft_.set("communication_overlap", "true");
    if (is_on("overlap-moe-expert-parallel-comm") && draft_.has("expert_parallel")) draft_.set("expert_overlap", "true");
    const Json* const graphs = document_.peek(key("cuda-graph-impl")); // not taken: their memory is another matter
    if (graphs != nullptr && graphs->is_string() && graphs->text() != "none") draft_.set("training_graphs", graphs->text() == "full_iteration" ? "iteration" : "layers");
  }

  /// Megatron's own layers have one fused softmax; Transformer Engine takes the backend that is named, or one that the environment leaves it.
  void read_attention_kernel() {
    const std::string backend = text("attention-backend");
    const std::string_view choice = choice_of(kAttentions, backend.empty() ? "auto" : backend);
    if (choice.empty()) document_.refuse(key("attention-backend"), "auto, flash, fused, unfused or local");
    const bool flash = arguments() && document_.is_on("use-flash-attn"), no_cudnn = document_.truth("env.NVTE_FUSED_ATTN") == false;
    if (text("transformer-impl") == "local") {
      draft_.set("profile", "megatron_local");
      draft_.set("attention", flash ? "flash" : "fused_softmax");
    } else if (choice != "profile" && !choice.empty()) {
      draft_.set("attention", choice);
    } else if (flash || no_cudnn) {
      draft_.set("attention", "flash");
    }
  }

  void read_environment() {
    const std::string allocator = document_.text("env.PYTORCH_CUDA_ALLOC_CONF");
    if (allocator.find("expandable_segments:True") != std::string::npos) draft_.set("expandable_segments", "on");
    const std::string workspace = document_.text("env.CUBLAS_WORKSPACE_CONFIG");
    if (workspace.empty()) return;
    if (const auto kib = workspace_kib(workspace)) draft_.set("workspace_kib", *kib);
    else document_.refuse("env.CUBLAS_WORKSPACE_CONFIG", "a list of sizes and counts such as :4096:8");
  }

  void read_experts() {
    const std::string dispatcher = text("moe-token-dispatcher-type"), dtype = text("moe-router-dtype");
    const std::string fused = text("moe-flex-dispatcher-backend"); // Megatron-Bridge: with it the dispatcher is flex
    if (dispatcher == "flex" || fused == "deepep" || fused == "hybridep") draft_.set("dispatch", "once");
    else if (dispatcher == "alltoall" || dispatcher == "alltoall_seq") draft_.set("dispatch", "all_to_all");
    else if (dispatcher == "allgather" || (arguments() && dispatcher.empty() && whole("num-experts").value_or(0) > 0)) draft_.set("dispatch", "all_gather");
    if (is_on("moe-grouped-gemm")) draft_.set("grouped_experts", "true");
    if (dtype == "fp32" || dtype == "fp64") draft_.set("router_fp32", "true");
    read_capacity();
  }

  /// Tokens above an expert's capacity are dropped; padded to it, every expert has as many (core/transformer/moe/moe_utils.py, get_capacity).
  void read_capacity() {
    const auto factor = real("moe-expert-capacity-factor");
    const bool padded = is_on("moe-pad-expert-input-to-capacity");
    if (!factor) return;
    if (*factor < 1 || *factor > 1000 || whole("expert-model-parallel-size").value_or(1) < 2)
      return document_.refuse(key("moe-expert-capacity-factor"), "at least 1, where expert-parallel GPUs divide the experts");
    const std::string load = text_of(*find_field("expert_load"), static_cast<std::int64_t>(*factor * 1000 + 0.5));
    if (padded) draft_.set("expert_load", load);
    else draft_.set_assumed("expert_load", load, "the busiest experts are taken to be as full as the capacity factor lets them be");
  }

  void read_batches() {
    draft_.set_if("batch", whole("micro-batch-size"));
    for (const char* argument : {"micro-batch-size", "global-batch-size", "seq-length", "use-distributed-optimizer"}) take_same(document_, dialect_, argument);
    const auto length = whole("seq-length");
    if (length) draft_.set("context_tokens", *length);
    const auto global = global_batch();
    const auto local = whole("nproc-per-node"), nodes = whole("nnodes");
    const Count replica = Count{stated("tensor_parallel")} * (Count{stated("pipeline_parallel")} * Count{stated("context_parallel")});
    const bool told = draft_.gpus > 0;
    if ((!local && !told) || replica <= Count{0}) return miss_gpus(global);
    const Count world = told ? Count{draft_.gpus} : Count{*local} * Count{nodes.value_or(1)};
    if (world.value % replica.value != 0 || world < replica) {
      document_.refuse(key("nproc-per-node"), "a number of GPUs that tensor, pipeline and context parallelism divide");
      return miss_gpus(global);
    }
    const Count replicas{world.value / replica.value};
    draft_.set("data_parallel", replicas.value);
    set_instances(replicas);
    set_micro_batches(global, replicas);
  }

  /// Sequences of a step: of the last part of a schedule such as "0:384 200B:768 400B:1152", which is what most of a run has.
  std::optional<std::int64_t> global_batch() {
    const std::string schedule = arguments() ? document_.text("step-batch-size-schedule") : "";
    const std::size_t last = schedule.find_last_of(':');
    const auto stated = last == std::string::npos ? std::nullopt : whole_number(std::string_view{schedule}.substr(last + 1));
    if (stated) draft_.assume("micro_batches: those of the last part of --step-batch-size-schedule");
    const auto global = whole("global-batch-size");
    return stated ? stated : global;
  }

  /// Each instance of the distributed optimizer has all shards; context-parallel GPUs shard with the replicas.
  void set_instances(Count replicas) {
    const Count sharding = replicas * Count{stated("context_parallel")};
    if (sharding == Count{1} && draft_.text("sharding") == "optimizer") draft_.set("sharding", "none"); // one GPU keeps everything
    if (instances_ > 1) draft_.set("shard_group", max(Count{1}, ceil_div(sharding, Count{instances_})).value);
  }

  void set_micro_batches(const std::optional<std::int64_t>& global, Count replicas) {
    if (!global) return;
    const std::int64_t count = times(*global, (Count{stated("batch")} * replicas).value);
    if (count == 0) return document_.refuse(key("global-batch-size"), "a multiple of the micro-batch and the replicas");
    draft_.set("micro_batches", count);
  }

  /// Nobody says how many GPUs there are: as few as experts need.
  void miss_gpus(const std::optional<std::int64_t>& global) {
    draft_.miss_gpus();
    if (instances_ > 1)
      draft_.say(Severity::warning, "shard_group", "The optimizer is sharded in " + std::to_string(instances_) + " instances, each among as many of the replicas as their number says.",
                 "Set data_parallel, and shard_group to data_parallel times context_parallel through " + std::to_string(instances_) + ".");
    const std::int64_t count = global ? times(*global, (Count{stated("batch")} * Count{stated("data_parallel")}).value) : 0;
    if (count > 0) draft_.set_assumed("micro_batches", std::to_string(count), "the replicas that are known take the whole global batch, as nobody says how many there are");
    else if (global) draft_.assume("micro_batches: as many as the global batch leaves for the replicas, of which nobody says how many there are");
  }

  std::int64_t instances_ = 1;
  bool narrow_gradients_ = false; ///< gradients are accumulated in 16 bits by another argument than --grad-reduce-in-bf16
};

} // namespace

void set_megatron_chunks(RequestBuilder& draft, const std::vector<std::size_t>& layers) {
  const std::int64_t stages = whole_number(draft.text("pipeline_parallel")).value_or(1);
  const auto chunks = static_cast<std::int64_t>(layers.size());
  if (stages <= 0 || chunks % stages != 0)
    return draft.refuse("pipeline_parallel", "A layout of " + std::to_string(chunks) + " chunks cannot be divided among " + std::to_string(stages) + " stages.", "Write as many chunks as stages, or a multiple.");
  draft.set_above_one("virtual_stages", chunks / stages);
  const bool alike = std::ranges::all_of(layers, [&](std::size_t count) { return count == layers.front(); });
  if (alike) return; // as layers are divided without a layout
  const bool ends = layers.size() > 2 && std::all_of(layers.begin() + 1, layers.end() - 1, [&](std::size_t count) { return count == layers[1]; });
  if (chunks == stages && (ends || chunks == 2) && std::ranges::find(layers, std::size_t{0}) == layers.end()) {
    draft.set("first_stage_layers", static_cast<std::int64_t>(layers.front()));
    draft.set("last_stage_layers", static_cast<std::int64_t>(layers.back()));
    return;
  }
  std::vector<std::int64_t> written;
  for (const std::size_t count : layers) written.push_back(static_cast<std::int64_t>(count));
  draft.set("chunk_layers", text_of(written));
}

void read_megatron(Document& document, RequestBuilder& draft, MegatronDialect dialect) { Reader{document, draft, dialect}.run(); }

} // namespace plimsoll::io::configs
