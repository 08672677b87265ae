"""Measured peaks beside the estimate, with a stand-in of the counters."""

import sys
import types
import unittest
import unittest.mock

import plimsoll


class Counters:
    """As torch.cuda counts."""

    def __init__(self, allocated, reserved, taken):
        self.allocated, self.reserved, self.taken, self.resets = allocated, reserved, taken, 0

    def reset_peak_memory_stats(self):
        self.resets += 1

    def max_memory_allocated(self):
        return self.allocated

    def max_memory_reserved(self):
        return self.reserved

    def mem_get_info(self):
        return 85_000_000_000 - self.taken, 85_000_000_000


FIELDS = {"device": "h100-80-sxm", "task": "finetune", "method": "lora", "context_tokens": 2048}


class Compare(unittest.TestCase):
    def test_peaks_lie_over_the_estimate(self):
        memory = plimsoll.estimate("llama-3-8b", **FIELDS).estimate.memory
        counters = Counters(memory.allocated.expected_bytes, memory.reserved.expected_bytes * 2, 50_000_000_000)
        with plimsoll.compare("llama-3-8b", counters=counters, **FIELDS) as run:
            self.assertEqual((counters.resets, run.peaks), (1, []))
        allocated, reserved, process = run.peaks
        self.assertEqual((allocated.metric, allocated.predicted, allocated.measured, allocated.error), ("allocated", memory.allocated.expected_bytes, memory.allocated.expected_bytes, 0))
        self.assertEqual((reserved.error, process.measured), (-0.5, 50_000_000_000))
        self.assertIn("-50.00%", str(run))
        self.assertIn("<pre>", run._repr_html_())

    def test_it_is_a_row_of_evidence(self):
        with plimsoll.compare("llama-3-8b", counters=Counters(1, 2, 3), **FIELDS) as run:
            pass
        row = run.row("run 17")
        self.assertEqual(row["id"], "run 17")
        self.assertEqual([figure["counter"] for figure in row["measured"]], ["allocated", "reserved", "process"])
        self.assertEqual(plimsoll.estimate(row["query"]).estimate.memory, run.answer.estimate.memory)

    def test_a_run_that_fails_is_not_measured(self):
        with self.assertRaises(ZeroDivisionError):
            with plimsoll.compare("llama-3-8b", counters=Counters(1, 2, 3), **FIELDS) as run:
                1 // 0
        self.assertEqual(run.peaks, [])

    def test_callback_of_a_trainer(self):
        transformers = types.ModuleType("transformers")    # a stand-in: all that is asked of it
        transformers.TrainerCallback = type("TrainerCallback", (), {})
        run = plimsoll.compare("llama-3-8b", counters=Counters(1, 2, 3), **FIELDS)
        with unittest.mock.patch.dict(sys.modules, transformers=transformers):
            callback = run.callback()
        self.assertIsInstance(callback, transformers.TrainerCallback)
        callback.on_train_begin("arguments", "state", "control", model=None)
        callback.on_train_end("arguments", "state", "control", model=None)
        self.assertEqual(([peak.measured for peak in run.peaks], run.counters.resets), ([1, 2, 3], 1))

    def test_counters_of_pytorch(self):
        torch = types.ModuleType("torch")
        torch.cuda = Counters(1, 2, 3)
        torch.cuda.is_available = lambda: True
        with unittest.mock.patch.dict(sys.modules, torch=torch), plimsoll.compare("llama-3-8b", **FIELDS) as run:
            pass
        self.assertEqual(len(run.peaks), 3)
        torch.cuda.is_available = lambda: False
        with unittest.mock.patch.dict(sys.modules, torch=torch), self.assertRaisesRegex(RuntimeError, "counters="):
            plimsoll.compare("llama-3-8b", **FIELDS).__enter__()

    def test_a_model_that_is_none(self):
        with self.assertRaises(plimsoll.InvalidQuestion):
            plimsoll.compare("nope", counters=Counters(1, 2, 3), device="rtx4090")


if __name__ == "__main__":
    unittest.main()
