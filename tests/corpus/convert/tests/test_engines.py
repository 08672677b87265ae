"""Logs of inference engines: which question each line is, and what a damaged or unknown line is not."""

import unittest

from tests import product
from tests.corpora import convert, convert_one, evidence_named, evidence_of, inputs_of, reason_of, row_of, rows_of


def converted(id):
    return evidence_named("measured-inference", id)


def cache_of(model, notes, context, micro_batch):
    row = {"id": "x", "engine": "llama.cpp", "engine_version": "b6341", "model": model, "weights_format": None, "kv_format": "f16",
           "n_ctx": context, "batch": micro_batch, "gpu": None, "tp": 1, "component": "kv", "value_bytes": 1, "notes": notes}
    return convert_one("measured-inference", row)


class Rows(unittest.TestCase):
    def test_every_row_stays_in_its_place(self):
        made = evidence_of("measured-inference")
        self.assertEqual([one["id"] for one in made], [row["id"] for row in rows_of("measured-inference")])
        for one in made:
            self.assertNotEqual("query" in one, "not_covered" in one, one["id"])

    def test_every_question_says_the_engine_that_its_number_depends_on(self):
        for one in evidence_of("measured-inference"):
            counters = {figure["counter"] for figure in one["measured"]}
            if "query" in one and counters & {"kv_pool", "kv_tokens", "passes", "workspace", "concurrency"}:
                with self.subTest(one["id"]):
                    self.assertIn("profile", inputs_of(one))


class WhatALogGives(unittest.TestCase):
    def test_memory_taken_before_the_cache_is_an_input(self):
        made = converted("VL-035")
        self.assertGreater(int(inputs_of(made)["memory_before_cache_bytes"]), 2**30)
        self.assertIn("Given by the same log: weights, the peak of the profile run and memory outside the allocator.", made["assumed"])

    def test_bytes_of_the_cache_are_an_input_of_its_tokens(self):
        row = row_of("measured-inference", "TR-077")
        self.assertEqual(inputs_of(converted("TR-078"))["kv_cache_memory_bytes"], str(row["value_bytes"]))

    def test_what_is_the_same_fact_once_more_is_listed_and_not_summed(self):
        for id, twin in (("TR-078", "TR-077"), ("SG-006", "SG-005")):
            with self.subTest(id):
                self.assertIn("Given by the same log: tokens of the cache.", converted(twin)["assumed"])
                self.assertEqual(converted(id)["twin"], twin)
        self.assertNotIn("twin", converted("VL-041"))    # its log's bytes are predicted by the engine's arithmetic

    def test_a_row_alone_gives_nothing_to_itself(self):
        """Without the rest of its log, no line is an input of its own number."""
        for id in ("VL-035", "TR-078", "SG-006"):
            with self.subTest(id):
                made = convert_one("measured-inference", row_of("measured-inference", id))
                self.assertFalse([text for text in made.get("assumed", []) if text.startswith("Given")])
                self.assertNotIn("memory_before_cache_bytes", made.get("query", ""))
                self.assertNotIn("kv_cache_memory_bytes", made.get("query", ""))

    def test_lines_of_another_log_are_not_of_this_one(self):
        rows = [row_of("measured-inference", "TR-078"), {**row_of("measured-inference", "TR-077"), "source_ref": "another log"}]
        made = convert("measured-inference", *rows)
        self.assertNotIn("kv_cache_memory_bytes", made[0].get("query", ""))


class Weights(unittest.TestCase):
    def test_a_figure_without_the_embedding_table_says_what_is_left_out(self):
        """gpt-fast's script on Llama 2 7B: 32,000 tokens of 4,096 channels in 16 bits."""
        self.assertEqual(converted("TA-002")["measured"][0]["explained"], -2 * 32000 * 4096)

    def test_weights_whose_format_nobody_tells_are_no_question(self):
        alone = convert_one("measured-inference", row_of("measured-inference", "VL-042"))
        self.assertEqual(reason_of(alone), "The row does not say how the weights are stored.")

    def test_how_often_a_context_fits_into_a_cache_whose_bytes_the_log_tells_asks_for_no_weights(self):
        made = converted("VL-042")
        self.assertIn("kv_cache_memory_bytes", inputs_of(made))
        answer = product.compared([made])[0]
        self.assertEqual((answer["predicted"], answer["measured"]), (11.55, 11.55))

    def test_what_a_machine_gives_its_gpu_is_a_devices_number(self):
        row = {**row_of("measured-inference", "MI-002"), "gpu": "Apple M3 Max 128GB"}
        made = convert_one("measured-inference", row)
        self.assertEqual((made["measured"][0]["counter"], inputs_of(made)["device"]), ("usable", "m3-max-128"))
        self.assertEqual(reason_of(converted("MI-002")), "The catalogue has no machine with this much memory.")


class Lines(unittest.TestCase):
    def test_llama_cpp_prints_caches_of_windows_and_of_the_other_layers_in_lines_of_their_own(self):
        """262,144 cells over two sequences; windows of 128 tokens keep 1,280 cells each at micro-batches of 1,024."""
        full = cache_of("gpt-oss-120b", "non-SWA cache, 2 sequences", 262144, 512)
        windows = cache_of("gpt-oss-120b", "SWA cache, 2 sequences, n_ubatch=1024", 262144, 2048)
        self.assertEqual([one["measured"][0]["part"] for one in (full, windows)], ["full", "windows"])
        for one in (full, windows):
            self.assertEqual((inputs_of(one)["batch"], inputs_of(one)["context_tokens"]), ("2", "131072"))
        self.assertEqual(inputs_of(windows)["prefill_tokens"], "1024")
        found = product.asked({part: (one["query"], {"counter": "component", "unit": "bytes", "part": f"memory.kv_cache.tokens.{part}"})
                               for part, one in (("full", full), ("sliding", windows))})
        self.assertEqual(found, {"full": 9216 * 2**20, "sliding": 90 * 2**20})

    def test_builds_and_versions_choose_the_profile(self):
        row = row_of("measured-inference", "VL-067")
        for engine, version, profile in (("llama.cpp", "b1200", "llama_cpp_2023"), ("llama.cpp", "b4000", "llama_cpp_2024"),
                                         ("llama.cpp", "build 6341", "llama_cpp"), ("llama.cpp", "2024-05", "llama_cpp_2024"),
                                         ("vLLM", "v0.6.3", "vllm_0_6"), ("vLLM", "v0.8.5", "vllm_0_8"), ("vLLM", "v0.11.0", "vllm_0_11"),
                                         ("vLLM", "0.21", "vllm")):
            with self.subTest(engine=engine, version=version):
                made = convert_one("measured-inference", {**row, "engine": engine, "engine_version": version})
                self.assertEqual(inputs_of(made)["profile"], profile)

    def test_an_engine_without_a_profile_is_not_another(self):
        row = {**row_of("measured-inference", "LC-013"), "engine": "mine"}
        self.assertIn("no profile", reason_of(convert_one("measured-inference", row)))


if __name__ == "__main__":
    unittest.main()
