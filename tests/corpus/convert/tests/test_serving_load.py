"""Closed-load runs: what a row's engine, layout, format and client become."""

import unittest

from tests.corpora import convert_one, inputs_of, reason_of, rows_of

ROW = next(row for row in rows_of("serving-load") if row["source"]["origin"] == "InferenceX dump")


def changed(**members):
    return convert_one("serving-load", {**ROW, **members})


class ServingLoad(unittest.TestCase):
    def test_load_and_client(self):
        inputs = inputs_of(changed(prompt_tokens=1024, answer_tokens=512, concurrency=16))
        self.assertEqual((inputs["prompt_tokens"], inputs["answer_tokens"], inputs["concurrency"]), ("1024", "512", "16"))
        self.assertEqual((inputs["requests"], inputs["length_spread"]), ("160", "200"))
        self.assertNotIn("requests", inputs_of(changed(source={"origin": "somebody else"})))

    def test_degrees_that_stand_twice(self):
        inputs = inputs_of(changed(tensor_parallel=64, attention_data_parallel=1, expert_tensor_parallel=8, expert_parallel=8))
        self.assertEqual((inputs["tensor_parallel"], inputs["expert_parallel"]), ("8", "8"))

    def test_flags_of_launch_scripts(self):
        run = {"model": "MiniMaxAI/MiniMax-M2.5", "engine": "vllm", "gemm_format": "fp8", "expert_format": "fp8", "tensor_parallel": 8, "attention_data_parallel": 1,
               "expert_tensor_parallel": 8, "expert_parallel": 1, "prompt_tokens": 8192, "answer_tokens": 1024, "concurrency": 64}
        blackwell = inputs_of(changed(**run, device="b200", engine_version="0.19.0"))
        self.assertEqual((blackwell["prefill_tokens"], blackwell["kv_dtype"], blackwell.get("expert_parallel")), ("16384", "fp8", None))
        for version, experts in (("0.16.0", None), ("0.18.0", "8")):  # its first script does not ask for whole experts
            hopper = inputs_of(changed(**run, device="h200-141-sxm", engine_version=version))
            self.assertEqual((hopper.get("prefill_tokens"), hopper.get("kv_dtype"), hopper.get("expert_parallel"), hopper["memory_fraction"]), (None, None, experts, "0.95"))
        run.update(model="deepseek-ai/DeepSeek-V3", engine="sglang", device="h200-141-sxm")
        hopper = inputs_of(changed(**run))
        self.assertEqual((hopper["prefill_tokens"], hopper.get("kv_dtype"), hopper["max_sequences"], hopper["memory_fraction"]), ("32768", None, "256", "0.82"))
        self.assertEqual(inputs_of(changed(**{**run, "prompt_tokens": 1024}))["max_sequences"], "512")
        trtllm = inputs_of(changed(**{**run, "engine": "trtllm"}))
        self.assertEqual((trtllm["prefill_tokens"], trtllm["kv_dtype"]), ("8320", "fp8"))

    def test_a_run_above_the_roofline_did_not_read_its_prompts(self):
        run = {"model": "Qwen/Qwen3-32B", "engine": "trtllm", "device": "gb200", "precision": "fp4", "gemm_format": "nvfp4", "expert_format": "nvfp4", "tensor_parallel": 2,
               "attention_data_parallel": 1, "expert_parallel": 1, "expert_tensor_parallel": 1, "prompt_tokens": 15000, "answer_tokens": 500, "concurrency": 448,
               "source": {"origin": "NVIDIA's own sweeps"}}
        # 448 × 15,000 tokens in 7.565 s are 888,000 tokens/s; at 62.4 GFLOP each 55.4 PFLOP/s, and two GB200 have 20 in four bits
        self.assertIn("55.4 PFLOP/s, and 2 × gb200 have 20.0", reason_of(changed(**run, measured={"ttft_ms": 746.401, "tpot_ms": 13.6655})))
        self.assertEqual(inputs_of(changed(**run, measured={"ttft_ms": 2 * 746.401, "tpot_ms": 3 * 13.6655}))["device"], "gb200")
        self.assertEqual(inputs_of(changed(**run, measured={"tpot_ms": 13.6655}))["device"], "gb200")

    def test_what_is_not_understood_is_not_asked(self):
        self.assertIn("profile", reason_of(changed(engine="somebody's own")))
        self.assertIn("format", reason_of(changed(gemm_format="int3", expert_format="int3")))
        self.assertIn("concurrency", reason_of(changed(concurrency=0)))
        self.assertIn("model", reason_of(changed(model="nobody/knows-this")))


if __name__ == "__main__":
    unittest.main()
