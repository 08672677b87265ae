"""Steps of reinforcement learning: what a row says becomes a question, or the reason why not."""

import unittest
from urllib.parse import parse_qsl

from tests import corpora


def query_of(id, **changes):
    made = corpora.convert_one("rl-steps", corpora.row_of("rl-steps", id) | changes)
    return dict(parse_qsl(made.get("query", ""))), made


class Steps(unittest.TestCase):
    def test_a_step_on_the_same_gpus(self):
        query, made = query_of("rl-v0.4-grpo-llama-3.1-8b-instruct-h100-80-sxm-16-bf16-on")
        self.assertEqual(query["step_prompts"], "64")
        self.assertEqual(query["mean_answer_tokens"], "1060")
        self.assertEqual(query["rollout_engine"], "sleeping")
        self.assertEqual(query["rollout_memory_fraction"], "0.6")
        self.assertEqual(query["micro_batches"], "19")  # 512 x 1192 tokens in rows of 4096, of eight replicas
        self.assertEqual(made["measured"], [{"counter": "learning_step_s", "value": 97.7, "unit": "s"}])

    def test_an_engine_apart_generates_ahead_and_ends_have_what_is_left(self):
        query, _ = query_of("rl-v0.6-grpo-deepseek-v3-h100-80-sxm-512-bf16-1off")
        self.assertEqual((query["rollout_gpus"], query["rollout_ahead"]), ("256", "1"))
        self.assertEqual(query_of("rl-v0.6-grpo-qwen3-30b-a3b-h100-80-sxm-192-bf16-8off")[0]["rollout_ahead"], "8")
        self.assertEqual((query["first_stage_layers"], query["last_stage_layers"]), ("3", "2"))  # 61 = 3 + 14 x 4 + 2
        self.assertEqual(query["rollout_memory_fraction"], "0.8")

    def test_weights_on_their_way(self):
        query, made = query_of("rl-refit-h100-qwen3-30b-bf16")
        self.assertEqual(query["weight_transfer"], "shards")
        self.assertEqual(query["rollout_gpus"], "16")
        self.assertEqual(made["measured"][0]["value"], 0.87)

    def test_what_no_question_says(self):
        for id in ("rl-v0.5-dapo-deepseek-v3-h100-80-sxm-512-bf16-on", "rl-refit-h100-dsv3-ckptengine-nccl"):
            self.assertIn("not_covered", query_of(id)[1])
        for wrong in ({"model": "Nobody-7B"}, {"train_precision": "fp8"}, {"mean_generated_len": None}, {"prompt_tokens_mean_implied": None}, {"use_in_test": False}):
            self.assertIn("not_covered", query_of("rl-v0.4-grpo-llama-3.1-8b-instruct-h100-80-sxm-16-bf16-on", **wrong)[1])


if __name__ == "__main__":
    unittest.main()
