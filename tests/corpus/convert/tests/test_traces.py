"""Runs with a clock of their own: what requests and the engine's arguments become."""

import unittest

from tests import corpora  # noqa: F401  puts the converters on the path

import traces

META = {"model": "meta-llama/Llama-3.1-8B", "engine_kwargs": {"tensor_parallel_size": 2, "max_num_seqs": 128, "max_num_batched_tokens": 2048, "dtype": "bfloat16", "kv_cache_dtype": "auto"}}
REQUESTS = [{"input_toks": 10, "output_toks": 3, "arrival_time": 5.5, "queued_ts": 1.5, "first_token_ts": 2.0, "last_token_ts": 2.5},
            {"input_toks": 20, "output_toks": 1, "arrival_time": 5.0, "queued_ts": 1.0, "first_token_ts": 1.1, "last_token_ts": 1.1}]


class Traces(unittest.TestCase):
    def test_requests_in_their_order(self):
        row = traces.convert("rtxpro6000-somebody", META, REQUESTS)
        self.assertIn("trace=0%2C20%2C1%2C500%2C10%2C3", row["query"])
        self.assertIn("tensor_parallel=2", row["query"])
        self.assertEqual(row["assumed"], [traces.LINK])
        values = {figure["counter"]: figure["value"] for figure in row["measured"]}
        self.assertEqual((values["ttft_ms"], values["tpot_ms"], values["latency_ms"]), (300, 250, 550))

    def test_what_is_not_understood_is_not_asked(self):
        self.assertIn("not_covered", traces.convert("rtxpro6000-x", META, []))
        self.assertIn("not_covered", traces.convert("rtxpro6000-x", {**META, "model": "nobody/knows"}, REQUESTS))
        self.assertIn("not_covered", traces.convert("rtxpro6000-x", META, [{**REQUESTS[0], "output_toks": 0}]))


if __name__ == "__main__":
    unittest.main()
