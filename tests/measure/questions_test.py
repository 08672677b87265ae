#!/usr/bin/env python3
"""Scenarios of this folder as questions: what tests/corpus/convert/measured_steps.py makes of the rows that the harness writes.

Rows are made here as the harness makes them, without a GPU: the scenario, the facts of its model, and figures."""

import copy
import sys
import unittest
from pathlib import Path
from urllib.parse import parse_qs

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus" / "convert"))

import families  # noqa: E402: found by the line above, as those below
import scenario as scenarios  # noqa: E402
from common import convert_rows  # noqa: E402
from measured_steps import convert  # noqa: E402

KINDS = {"train": "training", "trainer": "training", "saved": "saved_tensors", "serve": "inference", "speed": "timing"}
STAGES = {"trained": {"device_used": 900, "reserved": 600, "allocated": 100}}
MEASURED = {"peak_steady": 9001, "peak_first": 8001, "allocated_steady": 4001, "reserved_max_in_process": 10001, "reserved_max": 600,
            "parameters": 71, "trainable": 7, "layer_bytes": 501, "weights": 401, "peak_prefill": 601, "seconds_prefill": 0.5,
            "seconds_decode": 0.25, "seconds": {"step": 0.125}, "used_before": 0, "stages": STAGES, "allocated_before": 10,
            "moments": [{"moment": "forward_end", "peak": 5}, {"moment": "loss_backward", "peak": 7}]}
EVERYTHING = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def row_of(scenario):
    workload = {"micro_batch": scenario["batch"], "seq_len": scenario["seq"], "batch": scenario["batch"], "prompt": scenario["seq"],
                "answers": scenario.get("answers", 16), "lengths": [scenario["seq"]],
                "last_logits_only": scenario.get("last_only", True)}
    model = families.facts_of(families.shape_of(scenario)) if "model" in scenario else None
    measured = {"seconds": 0.5} if scenario["run"] == "speed" else MEASURED
    return {"id": "x", "kind": KINDS.get(scenario["run"], scenario["run"]), "model": model, "workload": workload, "scenario": scenario,
            "gpu": {"name": "NVIDIA H200"}, "measured": measured}


def row(**settings):
    return row_of({**scenarios.DEFAULTS, "model": "llama-s", **settings})


def parts(**settings):
    return convert_rows([row(**settings)], convert)


def inputs(**settings):
    """Of the row's first question."""
    made = parts(**settings)[0]
    assert "query" in made, made.get("not_covered")
    return {name: values[0] for name, values in parse_qs(made["query"], keep_blank_values=True).items()}


def reason(**settings):
    return parts(**settings)[0].get("not_covered", "")


def figures(**settings):
    return {one["metric"]: one for part in parts(**settings) if "query" in part for one in part["measured"]}


class Questions(unittest.TestCase):
    def has(self, asked, **expected):
        self.assertEqual({name: asked.get(name) for name in expected}, expected)

    def test_a_plain_step(self):
        self.has(inputs(model="gpt2-s", regime="mixed_bf16"), model="custom", profile="pytorch", device="h200-141-sxm", task="pretrain",
                 context_tokens="2048", batch="2", precision="mixed_bf16", optimizer="adamw_fused", hidden_size="1600", layers="6",
                 learned_positions="2048", norm="layernorm", tied_embeddings="true", fused_projections="true", qkv_bias="true",
                 activation="gelu_new", mlp_kind="plain")

    def test_families_differ_in_norms_experts_and_blocks(self):
        self.has(inputs(model="gemma3-s"), norm="rmsnorm_zero_centered", norms_per_layer="4", qk_norm="per_head", caps_logits=None)
        self.has(inputs(model="gemma2-s"), caps_logits="true", caps_scores="true")
        self.has(inputs(model="phi-s"), parallel_block="true", head_bias="true", norms_per_layer="1")
        self.has(inputs(model="qwen3-moe-s"), experts="32", experts_per_token="4", expert_size="768", intermediate_size=None)

    def test_what_a_scenario_varies(self):
        self.has(inputs(run="trainer", optim="adamw_torch"), profile="hf_trainer", optimizer="adamw_foreach")
        self.has(inputs(loop="dropped"), loss="hf_trainer")
        self.has(inputs(norm="fused"), norms="fused")
        self.has(inputs(compile="layers"), mlp="compiled", norms="compiled", loss=None, experts_kernel=None)
        self.has(inputs(compile="model", model="mixtral-s"), loss="torch_float_compiled", experts_kernel="compiled")
        self.has(inputs(attention="eager"), attention="eager")
        self.has(inputs(attention="eager", model="gpt2-s"), attention="fused_softmax")  # no cast to fp32
        self.has(inputs(attention="eager", model="gpt2-s", regime="mixed_bf16"), attention="eager")
        self.has(inputs(dropout=0.1), hidden_dropout="true", attention_dropout="true")
        self.has(inputs(accumulate=2), micro_batches="2")
        self.has(inputs(optimizer="adamw_single"), optimizer="adamw_forloop")
        self.has(inputs(recompute="full_reentrant"), recompute="full")
        self.has(inputs(recompute="selective"), recompute="per_op")
        self.has(inputs(padding="ones"), attention=None)
        self.has(inputs(backend="EFFICIENT_ATTENTION"), attention="flash")
        self.has(inputs(backend="CUDNN_ATTENTION"), attention="cudnn")
        self.has(inputs(optimizer="sgd_momentum_fused"), optimizer="sgd_momentum")
        self.has(inputs(seq=512), context_tokens="512", max_context="2048")
        self.has(inputs(seq=4096), context_tokens="4096", max_context="4096")

    def test_groups_of_rows_that_exercise_the_same(self):
        groups = {"bf16": {}, "bf16, recomputed": {"recompute": "full"}, "fp32": {"regime": "fp32"}, "trainer": {"run": "trainer"},
                  "experts": {"model": "mixtral-s"}, "compiled": {"compile": "layers"}, "fused norms": {"norm": "fused"},
                  "attention code": {"attention": "eager"}, "loops": {"loop": "dropped"}, "tp": {"ranks": {"kind": "tp", "world": 2}},
                  "adapters": {"peft": {"rank": 8, "targets": ["q_proj"]}}, "saved by a layer": {"run": "saved"}}
        for group, settings in groups.items():
            self.assertEqual(parts(**settings)[0]["group"], f"steps: {group}")

    def test_what_no_row_tells_is_assumed(self):
        self.assertNotIn("assumed", parts()[0])
        for settings in ({"loop": "deleted"}, {"use_cache": None}, {"compile": "model"}, {"ranks": {"kind": "ddp", "world": 1}},
                         {"run": "anatomy"}):
            self.assertEqual(len(parts(**settings)[0]["assumed"]), 1)

    def test_adapters(self):
        self.has(inputs(peft={"rank": 16, "targets": EVERYTHING, "fp32": False}), task="finetune", method="lora", rank="16",
                 targets="all_linear", adapter_dtype="half", weight_dtype="bf16")
        self.has(inputs(peft={"rank": 8, "targets": ["q_proj", "v_proj"], "dora": True, "dropout": 0.1}), method="dora", targets="qv",
                 adapter_dtype="fp32", adapter_dropout="true")
        self.has(inputs(peft={"rank": 8, "targets": ["down_proj", "q_proj"]}), targets="q,down")
        self.has(inputs(regime="mixed_bf16", peft={"rank": 8, "targets": ["q_proj"], "fp32": False}), adapter_dtype="fp32",
                 weight_dtype="fp32")

    def test_ranks(self):
        policy = {"kind": "fsdp2", "world": 64, "param_dtype": "bf16", "reduce_dtype": "fp32", "reshard": False}
        self.has(inputs(regime="fp32", ranks=policy), profile="fsdp2", data_parallel="64", sharding="parameters", precision="sharded_bf16",
                 reshard_after_forward="false")
        self.has(inputs(ranks={"kind": "fsdp2", "world": 8}), precision="bf16", data_parallel="8", reshard_after_forward=None)
        self.has(inputs(ranks={"kind": "tp", "world": 4}), tensor_parallel="4", profile="pytorch")
        self.has(inputs(ranks={"kind": "ddp", "world": 1, "backend": "nccl"}), data_parallel="2")  # buckets exist in a group of one too

    def test_a_setting_that_nobody_understands_declines_the_row_by_its_name(self):
        self.assertEqual(reason(steps=3), "")
        self.assertEqual(reason(turbo=None), "")
        for setting, value in {"turbo": True, "optimizer": "lion", "recompute": "some", "norm": True, "compile": True, "use_cache": "yes",
                               "batch": 0, "regime": "fp8", "optim": "adamw_torch", "backend": "OTHER"}.items():
            self.assertIn(setting, reason(**{setting: value}))
        self.assertIn("targets", reason(peft={"rank": 8, "targets": []}))
        self.assertIn("nothing", reason(peft={"rank": 8, "targets": ["nothing"]}))
        self.assertIn("rslora", reason(peft={"rank": 8, "targets": ["q_proj"], "rslora": True}))
        self.assertIn("kind", reason(ranks={"kind": "pp", "world": 2}))
        self.assertIn("step", reason(steps=1))
        unknown = row()
        unknown["model"]["family"] = "starling"
        self.assertIn("starling", convert_rows([unknown], convert)[0]["not_covered"])

    def test_a_setting_that_the_harness_does_not_hand_on_declines_the_row(self):
        for run, setting in {"trainer": {"accumulate": 2}, "saved": {"compile": "layers"}, "process": {"norm": "fused"},
                             "anatomy": {"backend": "MATH"}}.items():
            self.assertIn(next(iter(setting)), reason(run=run, **setting))
            self.assertEqual(reason(run=run), "")

    def test_what_no_input_says_is_named(self):
        for settings, need in (({"optimizer": "adafactor"}, "optimizer"), ({"backend": "MATH"}, "attention"),
                               ({"padding": "some"}, "padding_mask"),
                               ({"ranks": {"kind": "ddp", "world": 2, "bucket_view": True}}, "gradient_as_bucket_view"),
                               ({"model": "gemma2-s", "seq": 8192}, "sliding_window_mask"),
                               ({"run": "serve", "last_only": False}, "prompt_logits")):
            made = parts(**settings)[0]
            self.assertIn(need, made["needs"])
            self.assertNotIn("query", made)

    def test_figures_of_each_kind(self):
        def told(**settings):
            return {name: (one["counter"], one["value"], one.get("moment")) for name, one in figures(**settings).items()}

        self.assertEqual(told(), {"peak_steady": ("allocated", 9001, None), "peak_first": ("allocated", 8001, None),
                                  "allocated_steady": ("allocated", 4001, "between_steps"),
                                  "reserved_max_in_process": ("reserved", 10001, None), "parameters": ("parameters", 71, None),
                                  "seconds.step": ("step_time_s", 0.125, None)})
        self.assertEqual(figures()["peak_first"]["step"], "first")
        self.assertNotIn("allocated_steady", told(loop="deleted"))  # no input says that the logits are gone
        self.assertNotIn("allocated_steady", told(use_cache=None))
        self.assertIn("allocated_steady", told(loop="dropped", use_cache=None))
        adapted = figures(peft={"rank": 8, "targets": ["q_proj"]})
        self.assertEqual((adapted["parameters"]["explained"], adapted["trainable"]["counter"]), (7, "trainable_parameters"))
        self.assertEqual(told(run="saved"), {"layer_bytes": ("requested", 501, "layer_saved")})
        self.assertEqual(told(run="anatomy"), {"moments.peak": ("allocated", 17, None)})
        process = {"peak_steady": ("allocated", 9001, None), "reserved_max": ("reserved", 600, None),
                   "context": ("process", 300, "context"), "stages.trained.device_used": ("process", 900, None)}
        self.assertEqual(told(run="process"), process)
        expandable = told(run="process", env={"PYTORCH_ALLOC_CONF": "expandable_segments:True"})
        self.assertEqual(expandable, process)
        self.has(inputs(run="process", env={"PYTORCH_ALLOC_CONF": "expandable_segments:True"}), expandable_segments="on")
        eager = told(run="process", env={"CUDA_MODULE_LOADING": "EAGER"})
        self.assertEqual(eager, {name: process[name] for name in ("peak_steady", "reserved_max")})
        shared = row(run="process")
        shared["measured"] = {**MEASURED, "used_before": 50}  # others use the device
        self.assertEqual([one["counter"] for one in convert_rows([shared], convert)[0]["measured"]], ["allocated", "reserved"])
        self.assertEqual(told(run="serve", batch=1)["seconds_prefill"], ("ttft_ms", 500.0, None))
        self.assertNotIn("seconds_prefill", told(run="serve", batch=4))  # the estimate's first token is that of one prompt alone

    def test_one_layer_and_what_autocast_copies_of_it(self):
        self.has(inputs(run="saved"), layers="1")
        self.assertNotIn("explained", figures(run="saved")["layer_bytes"])
        shape = families.shape_of({"model": "llama-s"})
        maps = shape["hidden"] * (2 * shape["heads"] + 2 * shape["kv_heads"]) * shape["head_dim"] + 3 * shape["hidden"] * shape["ffn"]
        self.assertEqual(figures(run="saved", regime="mixed_bf16")["layer_bytes"]["explained"], 2 * maps)

    def test_lengths_that_differ_ask_for_the_longest_and_their_mean(self):
        variable = row(run="process")
        variable["workload"]["lengths"] = [512, 1024, 1920]
        asked = parse_qs(convert_rows([variable], convert)[0]["query"])
        self.assertEqual([asked[name] for name in ("context_tokens", "mean_tokens", "batching")], [["1920"], ["1152"], ["padded"]])

    def test_a_row_is_known_by_what_it_says(self):
        plain, other = row(), {**row(), "id": "y", "source": None, "config_id": "z"}
        other["measured"] = {name: value * 2 for name, value in MEASURED.items() if isinstance(value, int)}
        other["scenario"] = {**other["scenario"], "model": "nobody's", "id": "y"}
        self.assertEqual(*(convert_rows([each], convert)[0]["query"] for each in (plain, other)))

    def test_every_scenario_of_this_folder_is_a_question_or_names_what_is_missing(self):
        asked = 0
        for file in sorted((HERE / "scenarios").glob("*.json")):
            for scenario in scenarios.expand(file):
                for part in convert_rows([row_of(scenario)], convert):
                    with self.subTest(scenario["id"]):
                        self.assertTrue("query" in part or "needs" in part or scenario["run"] == "speed", part.get("not_covered"))
                    asked += "query" in part
        self.assertGreater(asked, 400)

    def test_no_change_of_any_value_stops_the_converter(self):
        junk = [None, True, -1, 0, 1e300, float("nan"), 2**64, 0.5, "", "4\u00d7", [1, "x", None], {"kind": 3}]

        def damaged(whole, at):
            for name in list(at):
                kept = at[name]
                for value in junk:
                    at[name] = value
                    yield whole
                at[name] = kept
                if isinstance(kept, dict):
                    yield from damaged(whole, kept)

        for settings in ({}, {"run": "trainer"}, {"run": "saved", "regime": "mixed_bf16"}, {"run": "anatomy"}, {"run": "serve"},
                         {"run": "process", "env": {"CUDA_MODULE_LOADING": "EAGER"}}, {"model": "mixtral-s"},
                         {"ranks": {"kind": "fsdp2", "world": 8}}, {"peft": {"rank": 8, "targets": ["q_proj"]}}):
            whole = copy.deepcopy(row(**settings))
            for each in damaged(whole, whole):
                made = convert_rows([each], convert)
                self.assertTrue(made)
                for part in made:
                    self.assertNotEqual("query" in part, "not_covered" in part)


if __name__ == "__main__":
    unittest.main()
