"""Steps that tests/measure cut into moments on one H200: what a scenario's settings become, and which of them nobody understands."""

import copy
import unittest

from tests.corpora import convert, evidence_of, inputs_of, reason_of, rows_of

ROWS = rows_of("steps")
ALL = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def row_with(kind="training", **settings):
    """The first whose scenario has all of these settings."""
    def suits(row):
        scenario = row.get("scenario") or {}
        return row["kind"] == kind and all(name in scenario and scenario[name] == value for name, value in settings.items())
    return copy.deepcopy(next(row for row in ROWS if suits(row)))


def inputs(row):
    return inputs_of(convert("steps", row)[0])


def read(**settings):
    return inputs(row_with(**settings))


def read_covered(model):
    """The first question of a model."""
    made = ((row, convert("steps", row)[0]) for row in ROWS)
    return inputs_of(next(one for row, one in made if row["kind"] == "training" and row["scenario"]["model"] == model and "query" in one))


def reason_with(setting, value):
    row = row_with(model="llama-s", regime="bf16", recompute="none")
    row["scenario"][setting] = value
    return reason_of(convert("steps", row)[0])


class Inputs(unittest.TestCase):
    def holds(self, found, **expected):
        self.assertEqual({name: found.get(name) for name in expected}, expected)

    def test_a_plain_step(self):
        self.holds(read(model="gpt2-s", run="train", regime="mixed_bf16", seq=2048), profile="pytorch", device="h200-141-sxm",
                   task="pretrain", context_tokens="2048", precision="mixed_bf16", optimizer="adamw_fused", hidden_size="1600",
                   learned_positions="2048", norm="layernorm", tied_embeddings="true", layers="6", fused_projections="true",
                   qkv_bias="true", activation="gelu_new", mlp_kind="plain")

    def test_families_differ_in_norms_experts_and_blocks(self):
        self.holds(read_covered("gemma3-s"), norm="rmsnorm_zero_centered", norms_per_layer="4", qk_norm="per_head")
        self.holds(read(model="phi-s"), parallel_block="true", head_bias="true")
        self.holds(read(model="qwen3-moe-s"), experts="32", experts_per_token="4", expert_size="768")

    def test_what_a_scenario_varies(self):
        self.holds(read(run="trainer", optim="adamw_torch"), optimizer="adamw_foreach")
        self.holds(read(run="trainer"), profile="hf_trainer")
        self.holds(read(loop="dropped"), loss="hf_trainer")
        self.holds(read(norm="fused"), norms="fused")
        self.holds(read(compile="layers"), mlp="compiled", loss=None)
        self.holds(read(compile="model"), loss="torch_float_compiled")
        self.holds(read(attention="eager", model="llama-s"), attention="eager")
        self.holds(read(attention="eager", model="gpt2-s"), attention="fused_softmax")  # no cast to fp32
        self.holds(read(dropout=0.1), hidden_dropout="true")
        self.holds(read(accumulate=2), micro_batches="2")
        self.holds(read(optimizer="adamw_single"), optimizer="adamw_forloop")
        self.holds(read(recompute="full_reentrant"), recompute="full")
        self.holds(read(recompute="selective"), recompute="per_op")

    def test_adapters(self):
        self.holds(read(peft={"rank": 16, "targets": ALL, "fp32": False}), targets="all_linear", adapter_dtype="half")
        dora = read(peft={"rank": 16, "targets": ["q_proj", "v_proj"], "fp32": True, "dora": True})
        self.holds(dora, task="finetune", method="dora", targets="qv", adapter_dtype="fp32")

    def test_ranks_become_degrees_sharding_and_a_policy_of_number_formats(self):
        fsdp = read(ranks={"kind": "fsdp2", "world": 64, "param_dtype": "bf16", "reduce_dtype": "fp32", "reshard": False})
        self.holds(fsdp, profile="fsdp2", data_parallel="64", sharding="parameters", precision="sharded_bf16", reshard_after_forward="false")
        self.holds(read(ranks={"kind": "fsdp2", "world": 8}), precision="bf16")
        self.holds(read(ranks={"kind": "tp", "world": 4}), tensor_parallel="4")
        ddp = convert("steps", row_with(ranks={"kind": "ddp", "world": 1, "backend": "nccl"}))[0]
        self.holds(inputs_of(ddp), data_parallel="2")  # buckets exist in a group of one too
        self.assertTrue(ddp["assumed"])


class Reasons(unittest.TestCase):
    def test_a_setting_that_nobody_understands_is_named(self):
        self.assertEqual(reason_with("steps", 3), "")
        self.assertEqual(reason_with("turbo", None), "")
        for setting, value in (("turbo", True), ("optimizer", "lion"), ("recompute", "some"), ("norm", True),
                               ("compile", True), ("padding", "some"), ("use_cache", "yes"), ("batch", 0), ("regime", "fp8")):
            with self.subTest(setting=setting, value=value):
                self.assertIn(setting, reason_with(setting, value))
        self.assertIn("Adafactor", reason_with("optimizer", "adafactor"))
        self.assertIn("math kernel of attention", reason_with("backend", "MATH"))
        self.assertEqual(reason_with("steps", 1), "One step alone is no later step.")
        self.assertIn("target module nothing", reason_with("peft", {"rank": 8, "targets": ["nothing"]}))
        self.assertIn("rslora", reason_with("peft", {"rank": 8, "targets": ["q_proj"], "rslora": True}))
        self.assertIn("views of DDP's buckets", reason_with("ranks", {"kind": "ddp", "world": 2, "bucket_view": True}))
        self.assertIn("kind", reason_with("ranks", {"kind": "pp", "world": 2}))

    def test_a_family_that_nobody_knows(self):
        row = row_with(model="gemma2-s")
        row["model"]["family"] = "starling"
        self.assertIn("family", reason_of(convert("steps", row)[0]))

    def test_a_row_is_known_by_its_shape_not_by_its_name(self):
        row = row_with(model="llama-s", regime="bf16")
        row["id"], row["source"] = "x", None
        self.assertEqual(reason_of(convert("steps", row)[0]), "")
        row.pop("scenario")
        self.assertTrue(reason_of(convert("steps", row)[0]))

    def test_every_row_is_covered_or_says_why(self):
        made = evidence_of("steps")
        self.assertGreater(sum(len(one["measured"]) for one in made), 4 * 317)
        self.assertLessEqual({"training", "anatomy", "saved_tensors", "process", "inference", "timing"}, {row["kind"] for row in ROWS})
        for one in made:
            self.assertNotEqual("query" in one, "not_covered" in one, one["id"])


if __name__ == "__main__":
    unittest.main()
