// Rows of Megatron-LM's functional tests (tests/corpus/megatron.json) as Inputs: parameters of each model that differs, whole and with
// tensor parallelism, against an implementation of Megatron's rules in another language, and what the rows' options become.
#include "evidence/megatron/megatron.hpp"
#include "measured_rows.hpp"
#include "plimsoll/method/sharding.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <map>
#include <set>

using namespace plimsoll;
using io::Json;
using io::accuracy::WrittenChunk;
using io::accuracy::MegatronRow;

namespace {

const Json& rows() {
  static const Json kRows = test::measured_rows("megatron.json");
  return kRows;
}

Json json_of(const std::string& id) {
  for (const Json& row : rows())
    if (row.at("id") == "megatron/" + id) return row;
  FAIL("no row " << id);
  return {};
}

MegatronRow row_of(const std::string& id) { return io::accuracy::read_megatron(json_of(id)); }

/// Numbers on one GPU, prediction layers included, without pipeline and with experts divided by channels only.
std::int64_t parameters(const Model& model, std::int64_t tensor_parallel) {
  Strategy strategy;
  strategy.tensor_parallel = tensor_parallel;
  Count total;
  for (const ModelTensor& part : model.tensors) total += part.layers * elements_per_gpu(part.tensor, strategy);
  return total.value;
}

struct Expected {
  const char* id;
  std::int64_t whole;
  std::int64_t tensor_parallel;
  std::int64_t share; ///< one GPU of that many
};

constexpr Expected kExpected[]{
    {"gpt/gpt3_15b_8t_release/dev_dgx_h100", 15628775424, 8, 1954295808},
    {"gpt/gpt3_7b_tp1_pp4_memory_speed/dev_dgx_gb200", 6747004928, 1, 6747004928},
    {"gpt/gpt3_7b_tp4_pp1_memory_speed/dev_dgx_gb200", 6750150656, 4, 1713299456},
    {"gpt/gpt3_mcore_te_tp1_pp1_resume_torch_dist_uniform_full_recompute/dev_dgx_a100", 64109568, 1, 64109568},
    {"gpt/gpt3_mcore_te_tp1_pp2_rope_embeddings/dev_dgx_a100", 63585280, 1, 63585280},
    {"gpt/gpt3_mcore_te_tp1_pp4_disable_bias_linear/dev_dgx_a100", 64054272, 1, 64054272},
    {"gpt/gpt3_mcore_te_tp1_pp4_resume_torch_dist_swiglu/dev_dgx_a100", 63724032, 1, 63724032},
    {"gpt/gpt3_mcore_te_tp1_pp4_resume_torch_dist_untie_embeddings_and_outputs/dev_dgx_a100", 89865216, 1, 89865216},
    {"gpt/gpt3_mcore_te_tp1_pp4_vp2_account_for_embedding_loss_in_pipeline_split/dev_dgx_a100", 70950912, 1, 70950912},
    {"gpt/gpt3_mcore_te_tp2_pp1_modelopt_distill_resume/dev_dgx_gb200", 89010688, 2, 44511744},
    {"gpt/gpt3_mcore_te_tp2_pp2_cp2/dev_dgx_a100", 64175104, 2, 32368640},
    {"gpt/gpt3_mcore_te_tp2_pp2_cross_entropy_loss_fusion/dev_dgx_a100", 64175104, 2, 32368640},
    {"gpt/gpt3_mcore_te_tp4_pp1_resume_torch_dist_dist_optimizer_overlap_grad_reduce/dev_dgx_a100", 64306176, 4, 16498176},
    {"gpt/gpt3_weekly_mcore_tp2_pp2_current_scaling_native_fp8_tp_pp_sp_tp_overlap/dev_dgx_gb200", 64162304, 2, 32355840},
    {"gpt/gpt3_weekly_mcore_tp4_cp2_current_scaling_native_fp8_tp_sp_cp_tp_overlap/dev_dgx_gb200", 64293376, 4, 16485376},
    {"hybrid/hybrid_mr_mcore_te_tp1_pp1_cp1_dgx_a100_1N8G/dev_dgx_h100", 402001792, 1, 402001792},
    {"hybrid/hybrid_mr_mcore_te_tp2_pp1_cp4_dgx_a100_1N8G/dev_dgx_a100", 402132864, 2, 201649088},
    {"mixtral/deepseekv3_proxy_flex_tp1pp4emp16etp1cp1_release/dev_dgx_h100", 42162270208, 2, 21197565952},
    {"mixtral/deepseekv3_proxy_flex_tp2pp2emp16etp1cp1_gb_200_release/dev_dgx_gb200", 42162270208, 2, 21197565952},
    {"mixtral/mixtral_8x7b_alltoall_tp2pp4ep4_release/dev_dgx_h100", 48537800704, 2, 24269557760},
    {"mixtral/mixtral_8x7b_tp1pp4ep8vpp8_release/dev_dgx_h100", 46702792704, 2, 23352053760},
    {"moe/deepseek_proxy_fsdp_ep2_fsdp2_ep_overlap/dev_dgx_h100", 71638272, 1, 71638272},
    {"moe/gpt3_mcore_cp2_pp2_ep2_te_4experts2parallel_nondeterministic/dev_dgx_a100", 139576320, 1, 139576320},
    {"moe/gpt3_mcore_te_tp1_pp1_te_4experts_groupedGEMM_op_fuser/dev_dgx_h100", 63521792, 1, 63521792},
    {"moe/gpt3_mcore_te_tp1_pp2_resume_torch_dist_reshard_2x1x4_te_8experts2parallel_dist_optimizer/dev_dgx_a100", 240264192, 1, 240264192},
    {"moe/gpt3_mcore_te_tp2_pp1_frozen_resume_torch_dist_te_8experts2parallel_dist_optimizer/dev_dgx_a100", 240329728, 2, 120464384},
    {"moe/gpt3_mcore_te_tp2_pp1_te_8experts2parallel_ddp_average_in_collective/dev_dgx_a100", 240329728, 2, 120464384},
    {"moe/gpt3_mcore_te_tp2_pp1_te_8experts2parallel_dist_optimizer/dev_dgx_a100", 240600064, 2, 120627200},
    {"moe/gpt3_mcore_te_tp2_pp1_te_8experts2parallel_top2router/dev_dgx_a100", 240329728, 2, 120464384},
    {"moe/gpt3_mcore_te_tp2_pp1_te_a2a_ovlp_8experts_etp1_ep4/dev", 240329728, 2, 120464384},
    {"moe/gpt3_mcore_te_tp2_pp2_ep4_etp1_memory_speed/dev_dgx_h100", 2121932800, 2, 1079648256},
    {"moe/gpt3_mcore_te_tp2_pp2_ep4_etp1_resume_torch_dist_attn_cudagraph/dev_dgx_h100", 1107067392, 2, 562332160},
    {"moe/gpt3_mcore_tp2_pp2_ep2_etp2_te_4experts2parallel/dev_dgx_a100", 139772928, 4, 35374080},
    {"moe/gpt3_moe_mcore_te_ep8_resume_torch_dist_dist_muon/dev_dgx_gb200", 139600896, 1, 139600896},
    {"moe/gpt3_moe_mcore_te_tp2_pp2_ep4_etp1_fine_grained_offloading/dev_dgx_gb200", 1815580672, 2, 925339648},
    {"moe/gpt3_moe_mcore_te_tp2_pp2_ep4_etp1_no_mtp_no_a2a_ovlp_fine_grained_offloading/dev_dgx_gb200", 1689646080, 2, 861271040},
    {"nemotron/nemotron3_5_lightning_nightly_tp1_pp1_cp1_ep8_dgx_gb200/dev_dgx_gb200", 32479054400, 1, 32479054400},
    {"nemotron/nemotron3_5_lightning_no_load_optim_tp1_pp1_cp1_ep4_dgx_gb200_1N4G/dev_dgx_gb200", 292519200, 1, 292519200},
};

const std::string kToy = "gpt/gpt3_mcore_te_tp1_pp1_resume_torch_dist_uniform_full_recompute/dev_dgx_a100";
const std::string kSeven = "gpt/gpt3_7b_tp4_pp1_memory_speed/dev_dgx_gb200";
const std::string kLatent = "moe/gpt3_mcore_te_tp2_pp2_ep4_etp1_memory_speed/dev_dgx_h100";

} // namespace

TEST_CASE("every model of the rows has the parameters that Megatron-LM gives it") {
  for (const Expected& expected : kExpected) {
    INFO(expected.id);
    const Model model = row_of(expected.id).inputs.model;
    CHECK(parameters(model, 1) == expected.whole);
    CHECK(parameters(model, expected.tensor_parallel) == expected.share);
  }
}

TEST_CASE("the worked examples: 1,713,299,456 numbers on one of four GPUs, 64,109,568 on one") {
  CHECK(parameters(row_of(kSeven).inputs.model, 4) == 1'713'299'456);
  CHECK(parameters(row_of(kToy).inputs.model, 1) == 64'109'568);
}

TEST_CASE("every row is read; those that are not covered say why") {
  std::map<std::string, int> groups, reasons;
  std::set<std::string> configs;
  REQUIRE(rows().size() == 231);
  for (const Json& json : rows()) {
    INFO(json.at("id").text());
    CHECK(io::accuracy::megatron().matches(json));
    const MegatronRow row = io::accuracy::read_megatron(json);
    CHECK(row.id == json.at("id").get<std::string>());
    CHECK(row.twin.empty());
    CHECK(!row.resumed);
    CHECK(row.measured.peak_steady);
    ++groups[row.group];
    configs.insert(row.config);
    if (!row.reason.empty()) ++reasons[row.reason];
  }
  for (const auto& [group, count] : groups) std::printf("%-28s %4d\n", group.c_str(), count);
  for (const auto& [reason, count] : reasons) std::printf("%4d  %s\n", count, reason.c_str());
  std::printf("%zu configurations\n", configs.size());
  CHECK(groups["dense"] == 55);
  CHECK(groups["dense vpp"] == 47);
  CHECK(groups["moe te"] == 34);
  CHECK(groups["release (world not recorded)"] == 11);
  const std::map<std::string, int> expected{{"Distillation runs a second model, which is not covered.", 1},
                                            {"Offloading of activations is not covered.", 2},
                                            {"The row does not say the vocabulary.", 1}};
  CHECK(reasons == expected);
}

TEST_CASE("a dense row's options become inputs") {
  const MegatronRow row = row_of(kSeven);
  CHECK(row.reason.empty());
  CHECK(row.assumed.empty());
  CHECK(row.inputs.workload.task == Task::pretrain);
  CHECK(row.inputs.workload.context_tokens == 8192);
  CHECK(row.inputs.workload.batch == 2);
  CHECK(row.inputs.strategy.tensor_parallel == 4);
  CHECK(row.inputs.strategy.data_parallel == 2);
  CHECK(row.inputs.strategy.regime == Regime::master_bf16);
  CHECK(row.inputs.strategy.gradient_dtype == GradientDtype::fp32);
  CHECK(row.inputs.strategy.sharding == Sharding::optimizer);
  CHECK(row.inputs.strategy.optimizer == Optimizer::adamw_fused);
  CHECK(row.inputs.implementation.hidden_dropout);
  CHECK(row.inputs.implementation.attention_mask);
  CHECK(row.inputs.implementation.loss == LossKernel::megatron);
  CHECK(row.inputs.hardware.arch == "Blackwell");
  CHECK(row.facts.world == 8);
  CHECK(row.facts.transformer_engine);
  CHECK(row.inputs.model.learned_positions == Count{8192});
  CHECK(row.inputs.model.vocab_size == Count{131'584});

  const MegatronRow toy = row_of(kToy);
  CHECK(toy.inputs.strategy.recompute == Recompute::full);
  CHECK(toy.inputs.strategy.recompute_layers == 1);
  CHECK(toy.inputs.model.tied_embeddings);
}

TEST_CASE("a row with latent attention, experts, prediction and virtual stages") {
  const MegatronRow row = row_of(kLatent);
  CHECK(row.reason.empty());
  REQUIRE(row.inputs.model.groups.size() == 2);
  CHECK(row.inputs.model.groups[0].layers == Count{1});
  CHECK(row.inputs.model.groups[1].moe.experts == Count{32});
  CHECK(row.inputs.model.groups[1].latent.kv_rank == Count{512});
  CHECK(row.inputs.strategy.virtual_stages == 4);
  CHECK(row.inputs.strategy.expert_parallel == 4);
  CHECK(row.inputs.strategy.expert_tensor_parallel == 1);
  CHECK(row.inputs.strategy.sequence_parallel);
  CHECK(row.facts.prediction_depths == 1);
  CHECK(row.facts.prediction.size() == 1);
  CHECK(row.facts.dispatcher == io::accuracy::Dispatcher::alltoall);
  CHECK(row.facts.router_fp32);
  CHECK(row.facts.grouped_gemm);
}

TEST_CASE("latent attention without norms or with biases, shared gates, narrow experts, one set of weights for all depths") {
  const auto with = [](const Json& change) {
    Json json = json_of(kLatent);
    json.merge_patch(change);
    return parameters(io::accuracy::read_megatron(json).inputs.model, 1);
  };
  CHECK(with({{"model", {{"qk_norm", false}}}}) == 2121897984);
  CHECK(with({{"model", {{"norm", "layernorm"}, {"norm_bias", true}, {"linear_bias", true}}}}) == 2123655168);
  CHECK(with({{"model", {{"moe", {{"shared_gate", true}, {"latent", 256}}}}}}) == 922378240);
  CHECK(with({{"model", {{"mla", {{"q_lora_rank", nullptr}}}, {"mtp_layers", 3}}}, {"raw_args", {{"--mtp-use-repeated-layer", true}}}}) == 2041690624);
}

TEST_CASE("linear attention alternates with full attention, and an output gate doubles the query map") {
  Json json = json_of(kToy);
  json["model"]["linear_attention"] = {{"linear_attention_freq", 4},   {"linear_key_head_dim", 32},   {"linear_num_key_heads", 4},
                                       {"linear_value_head_dim", 32},  {"linear_num_value_heads", 8}, {"linear_conv_kernel_dim", 4}};
  json["model"]["attention_output_gate"] = true;
  const MegatronRow row = io::accuracy::read_megatron(json);
  CHECK(row.reason.empty());
  // 9 of 12 layers: 1,050,624 numbers of attention with biases make way for h(2qk + 2v + 2nv) + (2qk + v)4 + 2nv + 32 + vh, with
  // qk = 128, v = 256 and nv = 8; 3 layers gain a gate of 512 * 512 with 512 biases.
  CHECK(parameters(row.inputs.model, 1) == 64'109'568 - 9 * 1'050'624 + 9 * (512 * 784 + 2'048 + 16 + 32 + 131'072) + 3 * (262'144 + 512));
}

TEST_CASE("a hybrid model's pattern is cut into chunks and has its own prediction depths") {
  const std::string id = "nemotron/nemotron3_5_lightning_no_load_optim_tp1_pp1_cp1_ep4_dgx_gb200_1N4G/dev_dgx_gb200";
  const MegatronRow whole = row_of(id);
  CHECK(whole.facts.chunks.empty());
  CHECK(whole.facts.prediction.size() == 2); // * and E
  CHECK(whole.facts.prediction_depths == 2);
  Json json = json_of(id);
  json["model"]["hybrid"]["pattern"] = "MEMEM*E|MEMEM*E/*E/*E";
  json["strategy"]["pp"] = 2;
  json["strategy"]["dp"] = 2;
  const MegatronRow cut = io::accuracy::read_megatron(json);
  CHECK(cut.reason.empty());
  CHECK(cut.facts.chunks == std::vector<WrittenChunk>{{0, 7, 0, true, false}, {7, 7, 2, false, true}});
  CHECK(parameters(cut.inputs.model, 1) == parameters(whole.inputs.model, 1));
  json["model"]["hybrid"]["pattern"] = "MEMEM*EMEMEM*E/*E/M";
  CHECK(io::accuracy::read_megatron(json).reason == "model.hybrid.pattern has prediction depths that differ.");
}

TEST_CASE("layouts that are written out") {
  const std::vector<WrittenChunk> chunks = io::accuracy::chunks_of_layout(R"(Et*3\\|\\(tt\\|\\)*2mL)");
  const std::vector<WrittenChunk> expected{{0, 3, 0, true, false}, {3, 2, 0, false, false}, {5, 2, 0, false, false}, {7, 0, 1, false, true}};
  CHECK(chunks == expected);
  CHECK(io::accuracy::chunks_of_layout("Et*2|(tt|)*5t|tmL").size() == 8);
  CHECK(io::accuracy::chunks_of_layout("E(t").empty());
  const MegatronRow row = row_of("mixtral/deepseekv3_proxy_flex_tp1pp4emp16etp1cp1_release/dev_dgx_h100");
  CHECK(row.inputs.strategy.virtual_stages == 2);
  REQUIRE(row.facts.chunks.size() == 8);
  CHECK(row.facts.chunks[3] == WrittenChunk{6, 2, 0, false, false});
  CHECK(row.facts.chunks[7] == WrittenChunk{13, 1, 1, false, true});
  CHECK(io::accuracy::chunks_of_layout("Et*0L").empty());
  CHECK(io::accuracy::chunks_of_layout("t*99999999999999999999").empty());
  CHECK(io::accuracy::chunks_of_layout("((((t*99)*99)*99)*99)*99").empty());
}

TEST_CASE("what no formula describes is refused with its reason") {
  const auto reason_with = [](const char* part, const char* key, Json value) {
    Json json = json_of(kSeven);
    json[part][key] = std::move(value);
    return io::accuracy::read_megatron(json).reason;
  };
  CHECK(reason_with("strategy", "world", 16) == "The number of GPUs does not match the parallel sizes.");
  CHECK(reason_with("strategy", "fsdp", "torch_fsdp2") == "PyTorch's FSDP inside Megatron-LM is not covered.");
  CHECK(reason_with("model", "padded_vocab", nullptr) == "The row does not say the vocabulary.");
  CHECK(reason_with("model", "hidden", "512") == "model.hidden is \"512\", where a whole number from 1 to 100000000 is needed.");
  CHECK(reason_with("strategy", "optimizer", "lamb") == "strategy.optimizer is “lamb”, which is not known here.");
  CHECK(reason_with("raw_args", "--cpu-offloading", true) == "Offloading of activations is not covered.");
  CHECK(reason_with("gpu", "name", nullptr).empty());
  CHECK(reason_with("gpu", "name", "TPU").find("gpu.name") == 0);
  CHECK(row_of("moe/gpt3_moe_mcore_te_tp2_pp2_ep4_etp1_fine_grained_offloading/dev_dgx_gb200").reason == "Offloading of activations is not covered.");
}

TEST_CASE("what a row does not tell is named") {
  const MegatronRow release = row_of("gpt/gpt3_15b_8t_release/dev_dgx_h100");
  CHECK(release.reason.empty());
  CHECK(!release.facts.world);
  CHECK(release.assumed.size() == 2); // GPUs in all, micro-batches of a step
  Json json = json_of(kSeven);
  json["gpu"]["name"] = nullptr;
  CHECK(io::accuracy::read_megatron(json).assumed.size() == 1);
}

TEST_CASE("comparisons carry the measured bytes and a reason") {
  std::vector<io::Comparison> comparisons;
  Json json = json_of(kSeven);
  io::accuracy::megatron().compare(json, comparisons);
  REQUIRE(comparisons.size() == 3);
  CHECK(comparisons[0].metric == "allocated_steady");
  CHECK(comparisons[1].metric == "peak_steady");
  CHECK(comparisons[1].measured == json["measured"]["peak_steady"].get<std::int64_t>());
  CHECK(comparisons[2].metric == "peak_first");
  json["run"] = "resumed second run";
  comparisons.clear();
  io::accuracy::megatron().compare(json, comparisons);
  CHECK(comparisons.size() == 2);
}
