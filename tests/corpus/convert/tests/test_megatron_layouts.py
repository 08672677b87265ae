"""Pipelines whose chunks a row writes out: --pipeline-model-parallel-layout, and cuts in the pattern of a hybrid model."""

import unittest

from common import NotCovered
from megatron_rows.layout import chunks_of_layout
from tests.corpora import config_of, convert_one, inputs_of, merged, reason_of, row_of

HYBRID = "megatron/nemotron/nemotron3_5_lightning_no_load_optim_tp1_pp1_cp1_ep4_dgx_gb200_1N4G/dev_dgx_gb200"
PROXY = "megatron/mixtral/deepseekv3_proxy_flex_tp1pp4emp16etp1cp1_release/dev_dgx_h100"
TOY = "megatron/gpt/gpt3_mcore_te_tp1_pp4_resume_torch_dist_swiglu/dev_dgx_a100"
UNSHARED = {"raw_args": {"--mtp-use-repeated-layer": None}}


def hybrid(pattern, **strategy):
    change = {"model": {"hybrid": {"pattern": pattern}}, "strategy": strategy, **UNSHARED}
    return convert_one("megatron", merged(row_of("megatron", HYBRID), change))


class Layouts(unittest.TestCase):
    def test_repetitions_are_written_out(self):
        self.assertEqual(chunks_of_layout(r"Et*3\\|\\(tt\\|\\)*2mL"), ["Ettt", "tt", "tt", "mL"])
        self.assertEqual(len(chunks_of_layout("Et*2|(tt|)*5t|tmL")), 8)

    def test_what_is_no_layout_is_refused(self):
        for layout in ("E(t", "Et*0L", "t*99999999999999999999", "((((t*99)*99)*99)*99)*99", "E tx L", "t" * 20_000):
            with self.subTest(layout[:40]), self.assertRaisesRegex(NotCovered, "which is no layout of layers"):
                chunks_of_layout(layout)

    def test_a_layout_becomes_the_layers_of_each_chunk(self):
        made = convert_one("megatron", merged(row_of("megatron", PROXY), {"strategy": {"world": 128, "dp": 16}}))
        inputs = inputs_of(made)
        chunks = [int(layers) for layers in inputs["chunk_layers"].split(",")]
        self.assertEqual((inputs["virtual_stages"], len(chunks), sum(chunks)), ("2", 8, int(inputs["layers"])))
        self.assertEqual((chunks[3], chunks[7], sum(chunks[:3]), sum(chunks[:7])), (2, 1, 6, 13))
        self.assertEqual(inputs["prediction_layers"], "1")

    def test_chunks_are_those_of_the_model_and_of_the_stages(self):
        for layout, reason in (("Ett|tttt|tttt|ttL", ""), ("Etttt|tt|tt|tttt|L", "cannot be divided among its stages"),
                               ("Ettt|ttt|ttt|tL", "do not have model.layers layers"),
                               ("Ettm|tttt|tttt|ttL", "away from the loss")):
            with self.subTest(layout):
                made = convert_one("megatron", merged(row_of("megatron", TOY), {"strategy": {"pipeline_layout": layout}}))
                self.assertIn(reason, reason_of(made))
                self.assertEqual("query" in made, not reason)


class HybridPatterns(unittest.TestCase):
    def test_cuts_in_a_pattern_are_the_chunks_of_the_pipeline(self):
        cut, whole = hybrid("MEMEM*E|MEMEM*E/*E/*E", pp=2, dp=2), hybrid("MEMEM*EMEMEM*E/*E/*E")
        self.assertEqual(config_of(cut)["hybrid_override_pattern"], "MEMEM*EMEMEM*E")
        self.assertEqual(config_of(cut), config_of(whole))
        self.assertNotIn("chunk_layers", inputs_of(cut))  # 7 and 7, as layers are divided without a layout
        self.assertNotIn("chunk_layers", inputs_of(whole))
        self.assertEqual(inputs_of(cut)["pipeline_parallel"], "2")

    def test_chunks_of_different_lengths_are_said(self):
        inputs = inputs_of(hybrid("MEMEM|*EMEMEM*E/*E/*E", pp=2, dp=2))
        self.assertEqual((inputs["first_stage_layers"], inputs["last_stage_layers"]), ("5", "9"))

    def test_layers_that_nobody_knows_are_refused(self):
        self.assertEqual(reason_of(hybrid("MEMEM*EMEXEM*E/*E/*E")), "model.hybrid.pattern has a layer of kind 'X', which is not known here.")
        self.assertEqual(reason_of(hybrid("M" * 20_000)), "model.hybrid.pattern has more than 10000 layers.")


if __name__ == "__main__":
    unittest.main()
