"""Many questions: a row for each, in their order, whoever divides the work."""

import csv
import io
import json
import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

CLI = os.environ["PLIMSOLL_CLI"]
QUERY = "model=llama-3-8b&device=rtx4090,h100-80-sxm&context_tokens=8k..128k*2&batch=1..5:2"


def run(*words, **options):
    return subprocess.run([CLI, *words], capture_output=True, encoding="utf-8", **options)


def rows_of(text):
    return [json.loads(line) for line in text.splitlines()]


class Sweep(unittest.TestCase):
    def test_rows_are_answers(self):
        done = run("sweep", QUERY)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = rows_of(done.stdout)
        self.assertEqual(len(rows), 30)
        self.assertEqual([row["input.batch"] for row in rows[:4]], ["1", "3", "5", "1"])
        for row in rows[::7]:
            said = json.loads(run("estimate", "--json", row["query"]).stdout)["estimate"]
            self.assertEqual((row["fits"], row["peak_bytes"], row["process_bytes"], row["headroom_bytes"], row["decode_step_ns"], row["kv_cache_bytes_per_token"]),
                             (said["fits"], said["peak"]["bytes"], said["memory"]["process"]["expected_bytes"], said["headroom_bytes"],
                              said["speed"]["decode_step"]["expected_ns"], said["kv_cache_bytes_per_token"]))
        self.assertEqual(len({tuple(row) for row in rows}), 1)    # the same columns in all

    def test_training(self):
        (row,) = rows_of(run("sweep", "model=llama-3-8b&device=h100-80-sxm&task=finetune").stdout)
        step = json.loads(run("estimate", "--json", row["query"]).stdout)["estimate"]["time"]["step"]
        self.assertEqual((row["step_ns"], row["mfu_thousandths"], row["decode_step_ns"]), (step["ns"], step["mfu_thousandths"], None))

    def test_threads_change_nothing(self):
        self.assertEqual(run("sweep", QUERY, "--threads", "1").stdout, run("sweep", QUERY, "--threads", "7").stdout)

    def test_estimate_judges_faster(self):
        rows = rows_of(run("sweep", QUERY, "--judge", "estimate").stdout)
        self.assertTrue(all(row["process_bytes"] is None and row["peak_bytes"] > 0 for row in rows))

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(run("sweep", QUERY, "--format", "csv").stdout)))
        lines = rows_of(run("sweep", QUERY).stdout)
        self.assertEqual([int(row["peak_bytes"]) for row in rows], [line["peak_bytes"] for line in lines])
        self.assertEqual(list(rows[0]), list(lines[0]))
        self.assertEqual((rows[0]["step_ns"], rows[0]["ok"]), ("", "true"))

    def test_lists_and_ranges(self):
        def inputs(query, name):
            return [row[f"input.{name}"] for row in rows_of(run("sweep", query, "--judge", "estimate").stdout)]

        base = "model=llama-3-8b&device=rtx4090"
        self.assertEqual(inputs(f"{base}&batch=1,2,8..32*2", "batch"), ["1", "2", "8", "16", "32"])
        self.assertEqual(inputs(f"{base}&task=finetune&method=lora&targets=q,v|all_linear", "targets"), ["q,v", "all_linear"])
        self.assertEqual(inputs(f"{base}&profile=vllm&memory_fraction=0.8..0.9:0.05", "memory_fraction"), ["0.8", "0.85", "0.9"])
        for wrong in ("batch=8..2", "batch=1..8*1", "batch=1..x", "batch=1..100000000", "batch=1..1000000&context_tokens=1..1000000&max_sequences=1..1000000"):
            done = run("sweep", f"{base}&{wrong}")
            self.assertEqual((done.returncode, done.stdout), (1, ""), wrong)
            self.assertIn("error", done.stderr)


class Each(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.questions = self.folder / "questions.jsonl"
        lines = [json.dumps({"model": "llama-3-8b", "batch": batch}) for batch in range(1, 301)] + ["", "model=llama-3-70b&device=rtx4090\r", "model=nope", "{broken"]
        self.questions.write_text("\n".join(lines) + "\n")
        self.words = ["estimate", "--device", "h100-80-sxm", "--judge", "estimate"]
        self.whole = run(*self.words, "--each", self.questions)

    def test_a_row_for_each(self):
        rows = rows_of(self.whole.stdout)
        self.assertEqual((self.whole.returncode, len(rows)), (1, 303))    # one has no answer
        self.assertIn("batch=300", rows[299]["query"])
        self.assertEqual([row["ok"] for row in rows[298:]], [True, True, True, False, False])
        self.assertIn("device=rtx4090", rows[300]["query"])    # what a line states holds
        self.assertIn("nope", rows[301]["issue"])
        self.assertEqual(run(*self.words, "--each", "-", input=self.questions.read_text()).stdout, self.whole.stdout)

    def test_goes_on_where_it_was_stopped(self):
        output = self.folder / "rows.jsonl"
        lines = self.whole.stdout.splitlines(keepends=True)
        for text in ("", lines[0], "".join(lines[:100]), "".join(lines[:200]) + lines[200][:17], self.whole.stdout):
            output.write_text(text)
            run(*self.words, "--each", self.questions, "--output", output, "--resume")
            self.assertEqual(output.read_text(), self.whole.stdout)
        output.write_text(lines[1])
        done = run(*self.words, "--each", self.questions, "--output", output, "--resume")
        self.assertIn("rows of other questions", done.stderr)
        self.assertEqual((done.returncode, output.read_text()), (1, lines[1]))

    def test_csv_goes_on_too(self):
        output = self.folder / "rows.csv"
        whole = run(*self.words, "--each", self.questions, "--format", "csv").stdout
        output.write_text("".join(whole.splitlines(keepends=True)[:51]) + "model=")
        run(*self.words, "--each", self.questions, "--format", "csv", "--output", output, "--resume")
        self.assertEqual(output.read_text(), whole)

    def test_parallel(self):
        """As docs/many.md says."""
        command = f"parallel --keep-order --pipe-part --block 2k -a {self.questions} '{CLI} {' '.join(self.words)} --threads 1 --each -'"
        done = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual(done.stdout, self.whole.stdout)

    def test_progress_is_for_terminals(self):
        self.assertEqual(self.whole.stderr, "")
        ours, theirs = pty.openpty()
        subprocess.run([CLI, "sweep", "model=llama-3-8b&device=rtx4090&batch=1..400&context_tokens=1k..16k*2"], stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:
            pass
        self.assertRegex(shown.decode(), r"of 2,000 questions, [\d,]+ in a second")


if __name__ == "__main__":
    unittest.main()
