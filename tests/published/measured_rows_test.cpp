// Published training runs (tests/corpus/measured-training.json, published-tables.json: numbers and options of the sources that each row
// names) as questions to the estimate: what their words mean, what is not understood, and that no row, however broken, breaks the reader.
#include "json.hpp"
#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/evidence/measured_row.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/parameters.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <fstream>

using namespace plimsoll;
using io::MeasuredRow;
using Row = io::Json;

namespace {

Row rows_of(const std::string& name) { return test::parsed_file("tests/corpus/" + name); }

MeasuredRow read(const Row& row) { return io::read_measured_row(io::dump(row)); }

MeasuredRow read(const std::string& file, const std::string& id) {
  for (const Row& row : rows_of(file))
    if (row.at("id") == id) return read(row);
  FAIL("no row " + id);
  return {};
}

/// A run of Llama 3 8B on one GPU with one key replaced.
MeasuredRow with(const char* key, const Row& value) {
  Row row = test::parsed(R"({"id": "x", "category": "full-ft-1gpu", "framework": "torch", "model": "Llama-3-8B", "gpu": "H100-80GB", "n_gpus": 1,
    "hf_id_guess": "meta-llama/Meta-Llama-3-8B", "params_b": 8.03, "dtype_amp": "bf16-true", "optimizer": "AdamW fused", "micro_batch": 1,
    "parallelism": {"dp": 1, "tp": 1, "pp": 1, "cp": 1, "ep": 1, "zero": 0, "sp": false}, "seq_len": 2048, "grad_accum": 1,
    "checkpointing": "none", "attention": "flash-attention 2", "lora": null, "quant": null, "other_knobs": {}, "unit": "GiB",
    "metric": "torch max_memory_allocated", "value_bytes": 80000000000})");
  row[key] = value;
  return read(row);
}

Strategy strategy_with(const char* key, const Row& value) {
  const MeasuredRow row = with(key, value);
  INFO(key << ": " << io::dump(value) << ": " << row.reason);
  CHECK(row.reason.empty());
  return row.inputs.strategy;
}

} // namespace

TEST_CASE("words of number formats become regimes, which follow the framework where it keeps a master copy") {
  const auto regime = [](const char* text) { return strategy_with("dtype_amp", text).regime; };
  CHECK(regime("bf16-true") == Regime::bf16);
  CHECK(regime("bf16 params/grads/optimizer") == Regime::bf16);
  CHECK(regime("fp32 params/grads/Adam, bf16 compute (FSDP2 MixedPrecision)") == Regime::sharded_bf16);
  CHECK(regime("bf16 (AMP)") == Regime::mixed_bf16);
  CHECK(regime("float32") == Regime::fp32);
  CHECK(regime("fp16 params, fp32 master") == Regime::master_fp16);
  const Strategy main = strategy_with("dtype_amp", "bf16, fp32 main grads");
  CHECK(main.regime == Regime::master_bf16);
  CHECK(main.gradient_dtype == GradientDtype::fp32);
  CHECK(strategy_with("dtype_amp", "fp8 current scaling + bf16").fp8 == Fp8::compute);
  CHECK(with("dtype_amp", "fp32/bf16 not stated").reason.find("not covered") != std::string::npos);
  CHECK(with("dtype_amp", "posit16").reason.find("posit16") != std::string::npos);
  CHECK(with("dtype_amp", 16).reason != "");
}

TEST_CASE("words of optimizers become optimizers; the rest of a text is never dropped") {
  const auto optimizer = [](const char* text) { return strategy_with("optimizer", text).optimizer; };
  CHECK(optimizer("AdamW fused (bf16 states)") == Optimizer::adamw_fused);
  CHECK(optimizer("AdamW") == Optimizer::adamw_foreach);
  CHECK(optimizer("AdamW foreach=False") == Optimizer::adamw_forloop);
  CHECK(optimizer("adamw_bnb_8bit") == Optimizer::adamw_8bit);
  CHECK(optimizer("AdamW 8-bit (torchao)") == Optimizer::adamw_8bit);
  CHECK(optimizer("bnb PagedAdamW") == Optimizer::paged_adamw);
  CHECK(optimizer("PagedAdamW8bit (bnb)") == Optimizer::paged_adamw_8bit);
  CHECK(optimizer("LOMO fused update") == Optimizer::lomo);
  CHECK(strategy_with("optimizer", "PagedAdamW (bnb), optimizer-in-backward").optimizer_in_backward);
  CHECK(strategy_with("optimizer", "Adam, distributed optimizer").sharding == Sharding::optimizer);
  CHECK(with("optimizer", "AdamW 4-bit (torchao)").reason.find("not covered") != std::string::npos);
  CHECK(strategy_with("optimizer", "GaLore r1024, per-layer update").optimizer_rank == 1024);
  CHECK(with("optimizer", "AdamW with warp drive").reason.find("with warp drive”") != std::string::npos);
}

TEST_CASE("words of recomputation and attention become choices") {
  CHECK(strategy_with("checkpointing", "full (non-reentrant)").recompute == Recompute::full);
  CHECK(strategy_with("checkpointing", "selective (op-level: saves matmul/sdpa outputs, every 2nd mm)").recompute == Recompute::per_op);
  CHECK(strategy_with("checkpointing", "full + CPU activation offload").recompute == Recompute::offloaded);
  CHECK(strategy_with("checkpointing", "selective: core_attn").recompute == Recompute::selective);
  const Strategy second = strategy_with("checkpointing", "selective (every 2nd layer)");
  CHECK((second.recompute == Recompute::every_k && second.recompute_layers == 2));
  CHECK(with("checkpointing", "unknown").reason.find("does not tell") != std::string::npos);
  CHECK(with("checkpointing", "selective: moe").reason.find("no field") != std::string::npos);
  CHECK(with("attention", "unfused scores + fused softmax kernel").inputs.implementation.attention == AttentionKernel::fused_softmax);
  CHECK(with("attention", "sdpa (flash)").inputs.implementation.attention == AttentionKernel::flash);
  CHECK(with("attention", "eager (HF 2023)").inputs.implementation.attention == AttentionKernel::eager);
  CHECK(with("attention", "sdpa + Liger kernels").inputs.implementation.loss == LossKernel::liger_fused_linear);
}

TEST_CASE("adapters: method, rank, targets and how the frozen weights are stored") {
  const MeasuredRow row = with("lora", test::parsed(R"({"rank": 64, "alpha": 16, "dropout": 0.05, "targets": "c_attn, attn c_proj, w1, w2"})"));
  CHECK(row.reason == "");
  CHECK(row.inputs.tuning.method == TuningMethod::lora);
  CHECK(row.inputs.tuning.rank == 64);
  CHECK(row.inputs.tuning.adapter_dropout);
  CHECK(row.inputs.tuning.targets == (kTargetAttention | kTargetUp | kTargetGate));
  CHECK(row.inputs.weights.scheme == "bf16");
  CHECK(with("lora", test::parsed(R"({"rank": 8, "targets": "wte and lm_head fully trained"})")).reason.find("no field") != std::string::npos);
  CHECK(with("lora", test::parsed(R"({"rank": 8, "targets": "default"})")).reason.find("does not tell") != std::string::npos);
  CHECK(with("lora", test::parsed(R"({"method": "VERA", "rank": 8, "targets": "q"})")).reason.find("VERA") != std::string::npos);
  CHECK(with("quant", "bnb nf4").reason != ""); // nothing beside it trains

  const MeasuredRow qlora = read("measured-training.json", "torchtune-llama2-7b-qlora-4090");
  CHECK(qlora.profile == "torchtune");
  CHECK(qlora.inputs.weights.scheme == "nf4_double_quant");
  const MeasuredRow dora = read("measured-training.json", "peft-metamath-lora-r32-dora");
  CHECK(dora.profile == "peft");
  CHECK(dora.counter == io::Counter::reserved);
  CHECK((dora.inputs.tuning.method == TuningMethod::dora && dora.inputs.tuning.rank == 32 && dora.inputs.tuning.adapter_dtype == AdapterDtype::fp32));
  // 28 layers × 2 × 8 heads × 128 channels × 200 tokens = 11,468,800 trainable parameters.
  CHECK(read("measured-training.json", "peft-metamath-prefixtuning").inputs.tuning.virtual_tokens == 200);
}

TEST_CASE("parallel degrees and what replicas divide choose the profile of the library that does it") {
  Row fsdp = test::parsed(R"({"dp": 4, "tp": 1, "pp": 1, "cp": 1, "ep": 1, "zero": "fsdp1 full shard + cpu offload", "sp": false})");
  const MeasuredRow sharded = with("parallelism", fsdp);
  CHECK(sharded.profile == "fsdp1");
  CHECK(sharded.inputs.strategy.data_parallel == 4);
  CHECK(sharded.inputs.strategy.sharding == Sharding::parameters);
  CHECK(sharded.inputs.strategy.offload == Offload::parameters);
  fsdp["zero"] = 2;
  CHECK(with("parallelism", fsdp).profile == "deepspeed");
  CHECK(with("parallelism", fsdp).inputs.strategy.sharding == Sharding::gradients);
  fsdp["dp"] = nullptr;
  CHECK(with("parallelism", fsdp).reason.find("\"dp\"") != std::string::npos);

  const MeasuredRow titan = read("measured-training.json", "titan-qwen3-32b-fsdp4tp8-lbs16");
  CHECK(titan.reason == "");
  CHECK(titan.profile == "torchtitan");
  CHECK((titan.inputs.strategy.tensor_parallel == 8 && titan.inputs.strategy.data_parallel == 4 && titan.inputs.strategy.sequence_parallel));
  CHECK(read("measured-training.json", "ao-pretrain-8b-fp8-rowwise").inputs.strategy.fp8 == Fp8::compute);
}

TEST_CASE("torchtitan's pipelines: fewer layers at both ends, a micro-batch for each stage, and a loss that was not compiled in 2024") {
  Row row;
  for (const Row& one : rows_of("published-tables.json"))
    if (one.at("id") == "torchtitan/t5/Interleaved_1F1B") row = one;
  row["strategy"]["schedule"] = "1F1B";
  const Inputs plain = read(row).inputs;
  CHECK(plain.strategy.chunk_layers == std::vector<std::int64_t>{15, 16, 16, 16, 16, 16, 16, 15});
  CHECK((plain.workload.batch == 4 && plain.workload.micro_batches == 8));
  CHECK(plain.implementation.loss == LossKernel::torch_float);
  const Inputs interleaved = read("published-tables.json", "torchtitan/t5/Interleaved_1F1B").inputs;
  CHECK(interleaved.strategy.chunk_layers == std::vector<std::int64_t>{7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7});
  CHECK((interleaved.workload.batch == 2 && interleaved.workload.micro_batches == 16));
  CHECK(read("published-tables.json", "torchtitan/h200_nodes8").inputs.strategy.fp8 == Fp8::gathered);
  for (const Row& one : rows_of("measured-training.json"))
    if (one.at("id") == "titan-qwen3-32b-fsdp4tp8-lbs16") row = one;
  CHECK(read(row).inputs.implementation.loss == LossKernel::profile);
  row["metric"] = "torch peak active memory (percent of device)"; // as its first versions logged
  CHECK(read(row).inputs.implementation.loss == LossKernel::torch_float_kept);
}

TEST_CASE("a model is found by its name, or described by its dimensions; never taken for another of its size") {
  CHECK(with("hf_id_guess", nullptr).inputs.model.id == "llama-3-8b");
  CHECK(with("params_b", 7.2).reason.find("billion") != std::string::npos);
  const MeasuredRow described = read("measured-training.json", "nb0-full-512-model");
  CHECK(count_parameters(described.inputs.model) == Count{1'137'805'312}); // the notebook prints 1.138 billion
  CHECK(described.reading == io::Reading::loaded);
  Row cut = test::parsed(R"("Llama-3-8B shapes cut to 9 layers")");
  const MeasuredRow shorter = with("model", cut);
  CHECK(shorter.inputs.model.pattern.size() == 9);
  CHECK(read("published-tables.json", "litgpt/lora/phi-1.5_1.3B_None_mb1_x1").inputs.model.id == "phi-1.5-1.4b");
  CHECK(read("published-tables.json", "torchtitan/t1/FSDP").inputs.model.groups.size() == 1);
  CHECK(count_parameters(read("published-tables.json", "torchtitan/t1/FSDP").inputs.model) == Count{8'030'261'248});
}

TEST_CASE("techniques of torchtune's README stand on each other; adapters replace the optimizer's") {
  const MeasuredRow baseline = read("published-tables.json", "torchtune/llama3.2-3b/Baseline");
  CHECK(baseline.inputs.implementation.mlp == Fusion::profile);
  CHECK(baseline.inputs.strategy.recompute == Recompute::none);
  const MeasuredRow chunked = read("published-tables.json", "torchtune/llama3.2-3b/Chunked_Cross_Entropy");
  CHECK(chunked.inputs.implementation.mlp == Fusion::compiled);
  CHECK(chunked.inputs.implementation.loss == LossKernel::chunked_compiled);
  CHECK(read("published-tables.json", "torchtitan/t1/FSDP").inputs.implementation.loss == LossKernel::profile); // not compiled
  CHECK(read("published-tables.json", "torchtitan/h200_nodes8").inputs.implementation.loss == LossKernel::torch_float_compiled);
  const MeasuredRow eight = read("published-tables.json", "torchtune/llama3.2-3b/8_bit_AdamW");
  CHECK((eight.inputs.strategy.optimizer == Optimizer::adamw_8bit && eight.inputs.strategy.optimizer_in_backward));
  CHECK(eight.inputs.strategy.recompute == Recompute::offloaded);
  const MeasuredRow qlora = read("published-tables.json", "torchtune/llama3.2-3b/QLoRA");
  CHECK(!qlora.inputs.strategy.optimizer_in_backward);
  CHECK(qlora.inputs.tuning.method == TuningMethod::lora);
  CHECK(qlora.inputs.weights.scheme == "nf4_double_quant");
  CHECK(read("published-tables.json", "litgpt/lora/Llama-2_7B_bnb.nf4-dq_mb1_x1").inputs.tuning.rank == 8); // 4,194,304 trainable
  CHECK(read("published-tables.json", "litgpt/hub/phi-2_full.yaml_4xA10G").inputs.strategy.sharding == Sharding::parameters);
  CHECK(read("published-tables.json", "torchtitan/t5/Interleaved_1F1B").inputs.strategy.virtual_stages == 2);
}

TEST_CASE("what one layer keeps, weights after loading and the driver's context meet what was measured") {
  const io::Accuracy accuracy = io::compare(io::dump(rows_of("measured-training.json")));
  int met = 0;
  for (const io::Comparison& row : accuracy.rows) {
    INFO(row.id << ": " << row.reason << " " << row.predicted << " of " << row.measured.value_or(0));
    CHECK((row.modelled || !row.reason.empty()));
    if (row.id == "nb0-full-512-model") { // 2 bytes × 1,137,805,312; the rest are rotary tables and buffers
      CHECK(row.predicted == 2'275'610'624);
      CHECK(std::abs(io::error_of(row).value_or(1)) < 0.02);
      ++met;
    }
    if (row.id == "stas-ctx-eager-pt2.1") { // a range: the figure differs by driver and by how modules are loaded
      CHECK((row.low <= *row.measured && *row.measured <= row.high));
      ++met;
    }
    if (row.id == "stas-dist-after") CHECK(!row.modelled);
    if (row.id == "peft-metamath-full-finetuning") { // batches are padded to 768 at most; the counter is reserved, evaluation included
      CHECK(row.modelled);
      CHECK(!row.assumed.empty());
    }
  }
  CHECK(met == 2);
}

TEST_CASE("torchtune's ladder of techniques is met step by step, each on packed sequences of 2 x 4096 tokens") {
  // 6 bytes a parameter at the backward pass of the loss, what 28 layers keep, and 12 bytes a logit; then 4 where it runs in chunks.
  const io::Accuracy accuracy = io::compare(io::dump(rows_of("measured-training.json")));
  int steps = 0;
  for (const io::Comparison& row : accuracy.rows) {
    if (!row.id.starts_with("torchtune-llama32-3b-ladder")) continue;
    INFO(row.id << ": " << row.reason << " " << row.predicted << " of " << row.measured.value_or(0));
    REQUIRE(row.modelled);
    const double error = std::abs(io::error_of(row).value_or(1));
    CHECK(error < (row.id.ends_with("-ac") ? 0.025 : 0.013)); // with recomputation the shared table's gradients decide
    ++steps;
  }
  CHECK(steps == 6);
}

TEST_CASE("benchmarks of one operator among measured runs are predicted by the operator") {
  const io::Accuracy accuracy = io::compare(io::dump(rows_of("measured-training.json")));
  int kernels = 0;
  for (const io::Comparison& row : accuracy.rows) {
    if (!row.id.starts_with("liger-")) continue;
    INFO(row.id << ": " << row.reason << " " << row.predicted << " of " << row.measured.value_or(0));
    REQUIRE(row.modelled);
    CHECK(std::abs(io::error_of(row).value_or(1)) < 0.003);
    ++kernels;
  }
  CHECK(kernels == 4);
}

TEST_CASE("a GPT that is described in words has the parameters of its dimensions") {
  Row row = test::parsed(R"j({"id": "x", "category": "megatron-dp-only", "framework": "Megatron-LM", "model": "GPT (24 layers, hidden 2048, 16 heads, ffn 8192)",
    "gpu": "H100-80GB", "n_gpus": 1, "hf_id_guess": null, "params_b": null, "dtype_amp": "bf16", "optimizer": "Adam, distributed optimizer", "micro_batch": 4,
    "parallelism": {"dp": 2, "tp": 1, "pp": 1, "cp": 1, "ep": 1, "zero": 1, "sp": false}, "seq_len": 2048, "grad_accum": 4, "checkpointing": "none",
    "attention": "flash", "lora": null, "quant": null, "other_knobs": {"vocab": 50257}, "unit": "B", "metric": "allocated_bytes.all.peak", "value_bytes": 30000000000})j");
  const MeasuredRow gpt = read(row);
  CHECK(gpt.reason == "");
  CHECK(count_parameters(gpt.inputs.model) == Count{1'315'819'520}); // 24 (12 h² + 13 h) + (50304 + 2048) h + 2 h, the vocabulary padded to 128
  CHECK(gpt.ranks == io::Ranks::last); // Megatron-LM logs its last rank
  row["model"] = "GPT h2048 L24 a16 ffn8192 vocab50257";
  row["other_knobs"] = Row::object();
  CHECK(count_parameters(read(row).inputs.model) == Count{1'315'819'520});
  row["parallelism"]["tp"] = 2; // 50257 padded to a multiple of 256
  CHECK(read(row).inputs.model.vocab_size == Count{50432});
  row["model"] = "GPT MoE h2048 L24 a16 8 experts";
  CHECK(read(row).reason.find("shape is not given") != std::string::npos);
}

TEST_CASE("placeholders of accumulated gradients: one of each shape, as on a B200 with the shapes of Llama 3.1 405B") {
  // Megatron-LM, four layers, tensor parallel 2 with sequence parallel, four replicas, 4 x 4096 tokens: 81.59 GiB measured by
  // SimuMax (github.com/MooreThreads/SimuMax, B200 table); 2 bytes x (fc1 + fc2 + qkv + proj + head) are 4.96 GiB of them.
  const Row row = test::parsed(R"j({"id": "x", "category": "megatron-tp-pp-cp", "framework": "Megatron-LM (SimuMax)", "model": "Llama-3.1-405B cut to 4 layers", "gpu": "B200",
    "n_gpus": 8, "hf_id_guess": "meta-llama/Llama-3.1-405B", "params_b": null, "dtype_amp": "bf16, fp32 main grads", "optimizer": "Adam, distributed optimizer", "micro_batch": 1,
    "parallelism": {"dp": 4, "tp": 2, "pp": 1, "cp": 1, "ep": 1, "zero": 1, "sp": true}, "seq_len": 4096, "grad_accum": 4, "checkpointing": "none", "attention": "te fused",
    "lora": null, "quant": null, "other_knobs": {}, "unit": "GiB", "metric": "max allocated", "value_bytes": 87606594437})j");
  const MeasuredRow run = read(row);
  CHECK(run.reason == "");
  CHECK(run.inputs.implementation.fused_gradient_accumulation);
  const io::Accuracy accuracy = io::compare(io::dump(Row::array({row})));
  REQUIRE(accuracy.rows.size() == 1);
  INFO(accuracy.rows[0].reason << " " << accuracy.rows[0].predicted << " of " << accuracy.rows[0].measured.value_or(0));
  CHECK(std::abs(io::error_of(accuracy.rows[0]).value_or(1)) < 0.01);
  const Scenario with_them = scenario_of(run.inputs, *test::catalog().profile("megatron", "Blackwell", run.inputs.implementation));
  const Component tree = explain_moment(with_them, Moment::loss_backward);
  const Component* placeholders = find_component(tree, "memory.buffers");
  REQUIRE(placeholders != nullptr);
  // h = 16,384, f = 53,248, 1,024 channels of keys and of values, 128,256 logits, each matrix halved: fc1, fc2, qkv, proj, head.
  CHECK(placeholders->amount == 2ll * 16384 * (53248 + 53248 / 2 + (16384 + 2048) / 2 + 16384 / 2 + 128256 / 2));
}

namespace {

/// Every value of the row in turn, at any depth, replaced by things that do not belong there.
void mutate(Row& root, Row& at, std::vector<Row>& into) {
  static const std::vector<Row> kJunk = {nullptr, true, -1, 0, 1e300, 9223372036854775807, 18446744073709551615u, 0.5, "", "NaN, 4×4 \xC3\xA9 ()", Row::array(), Row::array({1, "x", nullptr}), Row::object(), Row{{"dp", "x"}}};
  const Row kept = at;
  for (const Row& junk : kJunk) {
    at = junk;
    into.push_back(root);
  }
  at = kept;
  if (!at.is_object()) return;
  for (auto member = at.begin(); member != at.end(); ++member) mutate(root, member.value(), into);
}

} // namespace

TEST_CASE("no change of any value makes the reader throw, and every row is answered") {
  std::size_t turn = 0;
  for (const char* file : {"measured-training.json", "published-tables.json"}) {
    Row rows = rows_of(file);
    for (std::size_t i = 0; i < rows.size(); i += 3) { // a third of them has every key
      std::vector<Row> mutated;
      for (auto member = rows[i].begin(); member != rows[i].end(); ++member) {
        mutate(rows[i], member.value(), mutated);
        Row without = rows[i];
        without.erase(member.key());
        mutated.push_back(without);
      }
      std::vector<Row> estimated; // reading is quick, the allocator's simulation is not
      for (const Row& row : mutated) {
        const std::string text = io::dump(row);
        CHECK_NOTHROW(io::read_measured_row(text));
        if (turn++ % 16 == 0) estimated.push_back(row);
      }
      const io::Accuracy accuracy = io::compare(io::dump(Row(estimated)));
      CHECK(accuracy.issues.empty());
      CHECK(accuracy.rows.size() >= estimated.size());
    }
  }
  CHECK(io::read_measured_row("").reason != "");
  CHECK(io::read_measured_row("[]").reason != "");
  CHECK(io::read_measured_row("{\"id\":").reason != "");
}
