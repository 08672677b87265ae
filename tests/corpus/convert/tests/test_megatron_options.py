"""Rows of Megatron-LM's functional tests: what their options become among the inputs."""

import unittest

from tests.corpora import config_of, convert_one, evidence_of, inputs_of, merged, reason_of, row_of

TOY = "megatron/gpt/gpt3_mcore_te_tp1_pp1_resume_torch_dist_uniform_full_recompute/dev_dgx_a100"
SEVEN = "megatron/gpt/gpt3_7b_tp4_pp1_memory_speed/dev_dgx_gb200"
LATENT = "megatron/moe/gpt3_mcore_te_tp2_pp2_ep4_etp1_memory_speed/dev_dgx_h100"
HYBRID = "megatron/nemotron/nemotron3_5_lightning_no_load_optim_tp1_pp1_cp1_ep4_dgx_gb200_1N4G/dev_dgx_gb200"

UNSHARED = {"raw_args": {"--mtp-use-repeated-layer": None}}


def converted(id, change=None):
    return convert_one("megatron", merged(row_of("megatron", id), change or {}))


class DenseRows(unittest.TestCase):
    def test_options_become_inputs(self):
        made = converted(SEVEN)
        self.assertNotIn("assumed", made)
        inputs = inputs_of(made)
        expected = {"task": "pretrain", "context_tokens": "8192", "batch": "2", "tensor_parallel": "4", "data_parallel": "2",
                    "precision": "master_bf16", "gradient_dtype": "fp32", "sharding": "optimizer", "optimizer": "adamw_fused",
                    "hidden_dropout": "true", "attention_mask": "true", "loss": "megatron", "device": "gb200", "profile": "megatron",
                    "learned_positions": "8192", "vocab_size": "131584"}
        self.assertEqual({name: inputs.get(name) for name in expected}, expected)

    def test_world_is_the_product_of_the_degrees(self):
        inputs = inputs_of(converted(SEVEN))
        degrees = [int(inputs.get(name, 1)) for name in ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")]
        self.assertEqual(degrees, [4, 1, 1, 2])

    def test_recomputation_of_whole_layers(self):
        inputs = inputs_of(converted(TOY))
        self.assertEqual((inputs["recompute"], inputs["recompute_layers"], inputs["tied_embeddings"]), ("full", "1", "true"))


class RowsWithManyParts(unittest.TestCase):
    def test_latent_attention_experts_prediction_and_virtual_stages(self):
        made = converted(LATENT)
        inputs = inputs_of(made)
        expected = {"dense_layers": "1", "experts": "32", "kv_lora_rank": "512", "virtual_stages": "4", "expert_parallel": "4",
                    "expert_tensor_parallel": "1", "sequence_parallel": "true", "prediction_layers": "1", "trains_prediction": "true",
                    "dispatch": "all_to_all", "router_fp32": "true", "grouped_experts": "true"}
        self.assertEqual({name: inputs.get(name) for name in expected}, expected)
        self.assertEqual(config_of(made), {"model_type": "deepseek_v3"})

    def test_linear_attention_alternates_with_full_attention(self):
        made = converted(TOY, {"model": {"attention_output_gate": True, "linear_attention": {
            "linear_attention_freq": 4, "linear_key_head_dim": 32, "linear_num_key_heads": 4, "linear_value_head_dim": 32,
            "linear_num_value_heads": 8, "linear_conv_kernel_dim": 4}}})
        inputs = inputs_of(made)
        expected = {"full_attention_interval": "4", "linear_key_heads": "4", "linear_key_dim": "32", "linear_value_heads": "8",
                    "linear_value_dim": "32", "conv_kernel": "4", "attention_gate": "true"}
        self.assertEqual({name: inputs.get(name) for name in expected}, expected)

    def test_hybrid_models_have_prediction_depths_of_their_own(self):
        made = converted(HYBRID, UNSHARED)
        self.assertEqual(config_of(made)["hybrid_override_pattern"], "MEMEM*EMEMEM*E")
        self.assertEqual(config_of(made)["mtp_hybrid_override_pattern"], "*E")
        self.assertEqual(inputs_of(made)["prediction_layers"], "2")
        self.assertEqual(inputs_of(made)["trains_prediction"], "true")

    def test_prediction_depths_of_a_hybrid_model_are_alike(self):
        made = converted(HYBRID, {"model": {"hybrid": {"pattern": "MEMEM*EMEMEM*E/*E/M"}}})
        self.assertEqual(reason_of(made), "model.hybrid.pattern has prediction depths that differ.")

    def test_what_no_input_says_is_needed_or_the_reason(self):
        """Latent attention without norms, with the other kind of norm or with biases; depths that share one layer."""
        self.assertEqual(converted(LATENT, {"model": {"qk_norm": False}})["needs"]["latent_norms"], "none")
        biased = converted(LATENT, {"model": {"norm": "layernorm", "norm_bias": True, "linear_bias": True}})
        self.assertEqual(biased["needs"], {"latent_norms": "layernorm", "output_bias": True})
        narrow = converted(LATENT, {"model": {"moe": {"shared_gate": True, "latent": 256}}})
        self.assertEqual(narrow["needs"]["expert_latent_size"], 256)
        self.assertEqual(inputs_of(narrow)["shared_expert_gate"], "true")
        shared = converted(LATENT, {"model": {"mla": {"q_lora_rank": None}, "mtp_layers": 3},
                                    "raw_args": {"--mtp-use-repeated-layer": True}})
        self.assertEqual(reason_of(shared), "No input says that prediction depths share one layer.")


class EveryRow(unittest.TestCase):
    def test_no_query_leaves_an_option_unsaid_that_changes_memory(self):
        """Every covered row says its precision, its optimizer, its degrees and its batch."""
        always = {"model", "device", "task", "profile", "precision", "optimizer", "tensor_parallel", "pipeline_parallel", "data_parallel",
                  "context_tokens", "batch", "micro_batches"}
        for made in evidence_of("megatron"):
            if "query" in made:
                with self.subTest(made["id"]):
                    self.assertLessEqual(always, set(inputs_of(made)))


if __name__ == "__main__":
    unittest.main()
