"""Memory over time as Chrome's and Perfetto's trace viewers and PyTorch's memory visualiser read it.

The trace: Google's Trace Event Format: "traceEvents" of phases "C" (counters), "X" (slices) and "M" (names), "ts" and "dur" in microseconds.
The snapshot: torch/cuda/_memory_viz.py, TypedDicts Snapshot, Segment, Block, TraceEntry and Frame.
"""

import json
import os
import pickle
import subprocess
import unittest

CLI = os.environ["PLIMSOLL_CLI"]
TRAINED = "model=llama-3.2-1b&device=h100-80-sxm&task=finetune&context_tokens=2048&profile=pytorch"
SERVED = "model=llama-3.2-1b&device=rtx4090&task=inference&profile=transformers"


def run(*words):
    return subprocess.run([CLI, *words], capture_output=True, check=False)


def estimate(query):
    return json.loads(run("explain", query, "--json").stdout)["estimate"]


class Trace(unittest.TestCase):
    def events_of(self, query):
        written = json.loads(run("export", "--to", "trace", query).stdout)
        self.assertEqual(written["otherData"]["query"].count("model="), 1)
        return written["traceEvents"]

    def test_it_has_the_fields_of_the_format(self):
        for event in self.events_of(TRAINED):
            self.assertIn(event["ph"], "CXM")
            self.assertIsInstance(event["name"], str)
            self.assertEqual(event["pid"], 0)
            if event["ph"] != "M":
                self.assertGreaterEqual(event["ts"], 0)
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
            if event["ph"] == "C":
                self.assertTrue(all(isinstance(value, int) and value >= 0 for value in event["args"].values()), event)

    def test_its_highest_point_is_the_peak(self):
        for query in (TRAINED, TRAINED + "&recompute=full", SERVED):
            memory = estimate(query)["memory"]
            events = self.events_of(query)
            requested = max(sum(event["args"].values()) for event in events if event["name"] == "requested")
            reserved = max(event["args"]["bytes"] for event in events if event["name"] == "reserved")
            self.assertEqual(requested, memory["requested"]["expected_bytes"], query)
            self.assertEqual(reserved, memory["reserved"]["expected_bytes"], query)

    def test_two_steps_go_through_their_moments_in_order(self):
        slices = [event for event in self.events_of(TRAINED) if event["ph"] == "X"]
        steps = [one for one in slices if one["tid"] == 1]
        self.assertEqual([one["name"] for one in steps], ["first step", "second step"])
        self.assertEqual(steps[0]["ts"] + steps[0]["dur"], steps[1]["ts"])
        moments = [one["name"] for one in slices if one["tid"] == 2]
        self.assertEqual(moments[: len(moments) // 2], moments[len(moments) // 2 :])
        self.assertEqual(moments[0], "end of the forward pass")
        self.assertEqual(moments[-2:], ["optimizer step", "between two steps"])


class Snapshot(unittest.TestCase):
    def snapshot_of(self, query):
        written = run("export", "--to", "snapshot", query)
        self.assertEqual(written.returncode, 0, written.stderr)
        return pickle.loads(written.stdout)

    def test_it_has_the_fields_that_torch_reads(self):
        for query in (TRAINED, TRAINED + "&expandable_segments=on"):
            snapshot = self.snapshot_of(query)
            for segment in snapshot["segments"]:
                for name in ("address", "total_size", "stream", "allocated_size", "requested_size", "device"):
                    self.assertIsInstance(segment[name], int)
                self.assertIn(segment["segment_type"], ("small", "large"))
                self.assertEqual(sum(block["size"] for block in segment["blocks"]), segment["total_size"])
                for block in segment["blocks"]:
                    self.assertIn(block["state"], ("active_allocated", "inactive"))
            (trace,) = snapshot["device_traces"]
            actions = {"alloc", "free_requested", "free_completed", "segment_alloc", "segment_free", "segment_map", "segment_unmap"}
            for entry in trace:
                self.assertIn(entry["action"], actions)
                self.assertEqual({"name", "filename", "line"}, set(entry["frames"][0]))

    def test_its_calls_lead_to_the_peak_and_to_what_is_left(self):
        for query in (TRAINED, TRAINED + "&expandable_segments=on", SERVED):
            memory, snapshot = estimate(query)["memory"], self.snapshot_of(query)
            alive, requested, peak, reserved, most = {}, 0, 0, 0, 0
            for entry in snapshot["device_traces"][0]:
                size, action = entry["size"], entry["action"]
                if action == "alloc":
                    self.assertNotIn(entry["addr"], alive)
                    alive[entry["addr"]] = size
                    requested += size
                elif action == "free_completed":
                    requested -= alive.pop(entry["addr"])
                elif action in ("segment_alloc", "segment_map"):
                    reserved += size
                elif action in ("segment_free", "segment_unmap"):
                    reserved -= size
                peak, most = max(peak, requested), max(most, reserved)
            self.assertEqual(peak, memory["requested"]["expected_bytes"], query)
            self.assertEqual(most, memory["reserved"]["expected_bytes"], query)
            self.assertEqual(requested, sum(segment["requested_size"] for segment in snapshot["segments"]))
            self.assertEqual(reserved, sum(segment["total_size"] for segment in snapshot["segments"]))

    def test_json_cannot_hold_it(self):
        answer = json.loads(run("export", "--to", "snapshot", TRAINED, "--json").stdout)
        self.assertFalse(answer["ok"])
        self.assertIn("binary", answer["issues"][0]["message"])


if __name__ == "__main__":
    unittest.main()
