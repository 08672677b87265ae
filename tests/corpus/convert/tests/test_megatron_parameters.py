"""The model of a Megatron-LM row has the parameters that Megatron-LM gives it, whole and on one of several tensor-parallel GPUs:
megatron_parameters.json holds counts of an implementation of Megatron's rules in another language, one of each model that differs."""

import json
import unittest
from pathlib import Path

from common import query_text
from tests import product
from tests.corpora import convert_one, inputs_of, merged, row_of

EXPECTED = json.loads(Path(__file__).with_name("megatron_parameters.json").read_text(encoding="utf-8"))
TOY = "megatron/gpt/gpt3_mcore_te_tp1_pp1_resume_torch_dist_uniform_full_recompute/dev_dgx_a100"
SEVEN = "megatron/gpt/gpt3_7b_tp4_pp1_memory_speed/dev_dgx_gb200"
HYBRID = "megatron/nemotron/nemotron3_5_lightning_no_load_optim_tp1_pp1_cp1_ep4_dgx_gb200_1N4G/dev_dgx_gb200"
LATENT = "megatron/moe/gpt3_mcore_te_tp2_pp2_ep4_etp1_memory_speed/dev_dgx_h100"
OF_THE_RUN = ("pipeline_parallel", "virtual_stages", "microbatch_group", "chunk_layers", "first_stage_layers", "last_stage_layers",
              "embedding_in_split", "loss_in_split", "context_parallel", "context_method", "expert_parallel", "expert_tensor_parallel",
              "data_parallel", "sharding", "shard_group", "sequence_parallel", "fp8", "gradient_dtype", "recompute", "recompute_layers",
              "offload", "deferred_micro_batches", "defer_head_gradient", "communication_overlap", "fused_gradient_accumulation")


def model_alone(row):
    """What of the run no question says has no part in the model: the number of GPUs, offloading, a second model to learn from. Two depths
    that share one layer have the parameters of one depth."""
    row["features"] = []
    row["raw_args"] = {key: value for key, value in row["raw_args"].items() if "offload" not in key and "kd" not in key}
    row["strategy"].update(distributed_optimizer=False, fsdp=None, recompute=None)
    if row["raw_args"].pop("--mtp-use-repeated-layer", False):
        row["model"]["mtp_layers"] = 1
        if hybrid := row["model"].get("hybrid"):
            hybrid["pattern"] = "/".join(hybrid["pattern"].split("/")[:2])
    return row


def question(row, tensor_parallel):
    inputs = inputs_of(convert_one("megatron", model_alone(row)))
    kept = {name: value for name, value in inputs.items() if name not in OF_THE_RUN}
    return query_text({**kept, "precision": "bf16", "tensor_parallel": tensor_parallel})


def counted(rows):
    """Of {name: (row, tensor_parallel)}: numbers on one of so many GPUs. Weights take 2 bytes each."""
    questions = {name: (question(*asked), product.WEIGHTS) for name, asked in rows.items()}
    return {name: weights / 2 for name, weights in product.asked(questions).items()}


def differences(rows):
    """{id, tensor_parallel: (found, expected)} of those that differ, whole and divided."""
    asked, expected = {}, {}
    for one in rows:
        for degree, numbers in {1: one["whole"], one["tensor_parallel"]: one["share"]}.items():
            name = f"{one['id']} on {degree}"
            asked[name], expected[name] = (row_of("megatron", one["id"]), degree), numbers
    found = counted(asked)
    return {name: (found[name], expected[name]) for name in asked if found[name] != expected[name]}


def has(one, part):
    return bool(row_of("megatron", one["id"])["model"].get(part))


def predicts(one):
    return has(one, "mtp_layers")


class Parameters(unittest.TestCase):
    def test_the_list_is_of_every_model_that_differs(self):
        self.assertEqual((len(EXPECTED), len({one["id"] for one in EXPECTED}), sum(map(predicts, EXPECTED))), (38, 38, 6))

    def test_models_have_the_parameters_that_megatron_gives_them(self):
        self.assertEqual(differences([one for one in EXPECTED if not predicts(one)]), {})

    def test_prediction_depths_of_decoders_are_counted_whole(self):
        decoders = [one for one in EXPECTED if predicts(one) and not has(one, "hybrid")]
        self.assertEqual(differences([{**one, "tensor_parallel": 1, "share": one["whole"]} for one in decoders]), {})

    @unittest.expectedFailure
    def test_prediction_depths_are_divided_as_megatron_divides_them(self):
        """The product keeps their map from twice the width whole on each tensor-parallel GPU, which Megatron divides by rows
        (megatron/core/transformer/multi_token_prediction.py, eh_proj), and trains no depths of hybrid models."""
        self.assertEqual(differences([one for one in EXPECTED if predicts(one)]), {})

    def test_worked_examples_and_changed_models(self):
        toy = {"model": {"attention_output_gate": True, "linear_attention": {
            "linear_attention_freq": 4, "linear_key_head_dim": 32, "linear_num_key_heads": 4, "linear_value_head_dim": 32,
            "linear_num_value_heads": 8, "linear_conv_kernel_dim": 4}}}
        cut = {"model": {"hybrid": {"pattern": "MEMEM*E|MEMEM*E/*E/*E"}}, "strategy": {"pp": 2, "dp": 2}}
        found = counted({
            "seven": (row_of("megatron", SEVEN), 4), "toy": (row_of("megatron", TOY), 1),
            "linear": (merged(row_of("megatron", TOY), toy), 1),
            "cut": (merged(row_of("megatron", HYBRID), cut), 1), "whole": (row_of("megatron", HYBRID), 1),
            "gated": (merged(row_of("megatron", LATENT), {"model": {"moe": {"shared_gate": True}}}), 1),
        })
        self.assertEqual((found["seven"], found["toy"]), (1_713_299_456, 64_109_568))
        self.assertEqual(found["cut"], found["whole"])
        # A gate of the shared expert is one number a channel, in 15 layers with experts and in the prediction depth.
        self.assertEqual(found["gated"], 2_121_932_800 + 16 * 1024)
        # 9 of 12 layers: 1,050,624 numbers of attention with biases make way for h(2qk + 2v + 2nv) + (2qk + v)4 + 2nv + 32 + vh, with
        # qk = 128, v = 256 and nv = 8; 3 layers gain a gate of 512 * 512 with 512 biases.
        linear = 64_109_568 - 9 * 1_050_624 + 9 * (512 * 784 + 2_048 + 16 + 32 + 131_072) + 3 * (262_144 + 512)
        self.assertEqual(found["linear"], linear)


if __name__ == "__main__":
    unittest.main()
