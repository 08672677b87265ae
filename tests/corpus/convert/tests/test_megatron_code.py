"""Rows of Megatron-LM's tests, option by option: which code ran, and how states and layers are divided."""

import unittest

from tests.corpora import config_of, convert_one, inputs_of, merged, reason_of, row_of

SEVEN = "megatron/gpt/gpt3_7b_tp4_pp1_memory_speed/dev_dgx_gb200"
LATENT = "megatron/moe/gpt3_mcore_te_tp2_pp2_ep4_etp1_memory_speed/dev_dgx_h100"


def converted(change, id=SEVEN):
    return convert_one("megatron", merged(row_of("megatron", id), change))


class Options(unittest.TestCase):
    def test_one_option_is_one_input(self):
        for section, key, value, name, said in (
                ("implementation", "attention_backend", "flash", "attention", "flash"),
                ("implementation", "attention_backend", "fused", "attention", "cudnn"),
                ("implementation", "attention_backend", "unfused", "attention", "fused_softmax"),
                ("implementation", "nvte_fused_attn", 0, "attention", "flash"),
                ("implementation", "te_installed", False, "profile", "megatron_local"),
                ("implementation", "te_installed", False, "attention", "eager"),
                ("implementation", "transformer_impl", "local", "attention", "fused_softmax"),
                ("implementation", "cross_entropy_fusion", True, "loss", "megatron_fused"),
                ("implementation", "bias_gelu_fusion", False, "mlp", "eager"),
                ("implementation", "deterministic", True, "deterministic", "true"),
                ("implementation", "cublas_workspace_config", ":4096:8:16:4", "workspace_kib", "32832"),
                ("implementation", "attention_mask_in_dataloader", False, "attention_mask", None),
                ("implementation", "defer_embedding_wgrad", True, "defer_head_gradient", "true"),
                ("implementation", "gradient_accumulation_fusion", True, "fused_gradient_accumulation", "true"),
                ("strategy", "tp_comm_overlap", True, "communication_overlap", "true"),
                ("strategy", "sp", True, "sequence_parallel", "true"), ("strategy", "optimizer", "sgd", "optimizer", "sgd_momentum"),
                ("strategy", "optimizer_instances", 2, "shard_group", "1"), ("strategy", "distributed_optimizer", False, "sharding", None),
                ("strategy", "recompute", {"granularity": "full", "method": "block", "layers": 3}, "recompute_layers", "3"),
                ("strategy", "recompute", {"granularity": "selective"}, "recompute", "selective"),
                ("precision", "params", "fp16", "precision", "master_fp16"), ("precision", "grads", "bf16", "gradient_dtype", "half"),
                ("precision", "fp8", {"fp8_param_gather": True}, "fp8", "parameters"), ("precision", "fp8", {"x": 1}, "fp8", "compute"),
                ("model", "qk_norm", True, "qk_norm", "per_head_layernorm"), ("model", "dropout_hidden", 0, "hidden_dropout", None),
                ("raw_args", "--wgrad-deferral-limit", 3, "deferred_micro_batches", "3"),
                ("raw_args", "--optimizer-cpu-offload", True, "offload", "optimizer")):
            with self.subTest(key=key, value=value, name=name):
                inputs = inputs_of(converted({"implementation": {"deterministic": False}, "raw_env": {"NVTE_ALLOW_NONDETERMINISTIC_ALGO": 1},
                                              **{section: {key: value}}}))
                self.assertEqual(inputs.get(name), said)

    def test_an_environment_that_allows_no_other_kernels_is_deterministic(self):
        for allowed, said in ((0, "true"), (1, None)):
            change = {"implementation": {"deterministic": False}, "raw_env": {"NVTE_ALLOW_NONDETERMINISTIC_ALGO": allowed}}
            self.assertEqual(inputs_of(converted(change)).get("deterministic"), said)

    def test_positions_and_the_share_of_a_head_that_turns(self):
        made = converted({"model": {"position": "rope", "rotary_percent": 0.5}})
        self.assertEqual((inputs_of(made)["learned_positions"], config_of(made)["partial_rotary_factor"]), ("0", 0.5))
        self.assertEqual(config_of(converted({"model": {"position": "rope"}})), {})

    def test_exchange_of_keys_and_values(self):
        for words, said in (("p2p", "ring"), ("a2a", "ulysses"), ("all_gather", "all_gather")):
            change = {"strategy": {"cp": 2, "dp": 1}, "raw_args": {"--cp-comm-type": words}}
            self.assertEqual(inputs_of(converted(change))["context_method"], said)

    def test_kernels_of_experts(self):
        self.assertNotIn("experts_kernel", inputs_of(converted({}, LATENT)))  # Transformer Engine's are taken to be fused
        self.assertEqual(inputs_of(converted({"raw_args": {"--no-bias-swiglu-fusion": True}}, LATENT))["experts_kernel"], "eager")
        local = inputs_of(converted({"implementation": {"transformer_impl": "local"}}, LATENT))
        self.assertEqual((local["experts_kernel"], local.get("grouped_experts")), ("fused", None))

    def test_layers_with_experts_that_a_list_names(self):
        marks = [1, 0] * 8
        made = converted({"model": {"moe": {"layer_freq": marks}}}, LATENT)
        self.assertEqual(config_of(made)["moe_layer_freq"], marks)
        self.assertIn("one entry for each layer", reason_of(converted({"model": {"moe": {"layer_freq": marks[1:]}}}, LATENT)))

    def test_what_no_input_says_is_refused(self):
        for change, reason in (({"strategy": {"recompute": {"granularity": "selective", "modules": "mlp router"}}}, "The module 'router'"),
                               ({"raw_args": {"--exp-avg-dtype": "fp8"}}, "Optimizer states in fp8"),
                               ({"precision": {"main_params": "fp16"}}, "Main weights in fp16"),
                               ({"implementation": {"cublas_workspace_config": "x"}}, "no list of sizes and counts"),
                               ({"strategy": {"fsdp": "megatron_fsdp"}, "precision": {"fp8": {"x": 1}}}, "Megatron FSDP with fp8")):
            self.assertIn(reason, reason_of(converted(change)))


if __name__ == "__main__":
    unittest.main()
