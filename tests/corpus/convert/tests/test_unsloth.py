"""Unsloth's notebooks: their calls as a launch, and which notebooks show figures of another run."""

import json
import tempfile
import unittest
from pathlib import Path

import unsloth

LOAD = "from unsloth import FastLanguageModel\nlength = 2048\nmodel, tokenizer = FastLanguageModel.from_pretrained(model_name = \"unsloth/Qwen3-8B\", max_seq_length = length, token = key())\n"
ADAPT = "model = FastLanguageModel.get_peft_model(model, r = 16, target_modules = [\"q_proj\", \"v_proj\"],)\n"
TRAIN = "trainer = SFTTrainer(model = model, train_dataset = data, args = SFTConfig(per_device_train_batch_size = 2, gradient_accumulation_steps = 4, seed = 1))\n"
PRINTED = ("Num GPUs = 1. Max memory: 14.7 GB.\nGPU = Tesla T4. Max memory = 14.7 GB.\n6.0 GB of memory reserved.\nBatch size per device = 2 | Gradient accumulation steps = 4\n"
           "Number of trainable parameters = 1,234\nPeak reserved memory = 8.5 GB.\n")


def notebook(code=("%%capture\n!pip install unsloth\n", LOAD, "if False:\n    model = FastLanguageModel.from_pretrained(\"lora\")\n", ADAPT, TRAIN), printed=PRINTED):
    cells = [{"cell_type": "code", "source": [source], "outputs": []} for source in code]
    return {"cells": [*cells, {"cell_type": "code", "source": ["print(1)"], "outputs": [{"output_type": "stream", "text": [printed]}]}]}


def rows(**notebooks):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in notebooks.items():
            Path(folder, name + ".ipynb").write_text(json.dumps(content), encoding="utf-8")
        return unsloth.convert(folder)


class Rows(unittest.TestCase):
    def test_calls_become_a_launch_with_the_values_that_decide(self):
        row, = rows(a=notebook())
        self.assertEqual(row["launch"].splitlines(), [
            "from unsloth import FastLanguageModel",
            "model, tokenizer = FastLanguageModel.from_pretrained(model_name = 'unsloth/Qwen3-8B', max_seq_length = 2048)",
            "model = FastLanguageModel.get_peft_model(model, r = 16, target_modules = ['q_proj', 'v_proj'])",
            "trainer = SFTTrainer(model = model, args = SFTConfig(per_device_train_batch_size = 2, gradient_accumulation_steps = 4))"])
        self.assertEqual(row["answers"], {"device": "t4"})
        self.assertEqual([figure["value"] for figure in row["measured"]], [round(8.5 * 2**30), 1234])

    def test_a_figure_of_another_run_is_no_evidence(self):
        for printed, why in ((PRINTED.replace("device = 2", "device = 8"), "another per_device_train_batch_size"), (PRINTED.replace("GPUs = 1", "GPUs = 2"), "2 GPUs")):
            row, = rows(a=notebook(printed=printed))
            self.assertIn(why, row["not_covered"])
            self.assertNotIn("launch", row)

    def test_one_run_is_one_row(self):
        self.assertEqual(len(rows(a=notebook(), b=notebook())), 1)
        row, = rows(a=notebook(), b=notebook(printed=PRINTED.replace("1,234", "99")))
        self.assertIn("several models", row["not_covered"])

    def test_what_printed_no_peak_or_cannot_be_read_is_no_row(self):
        self.assertEqual(rows(a=notebook(printed="")), [])
        self.assertEqual(rows(a=notebook(code=("def f(:\n",))), [])


if __name__ == "__main__":
    unittest.main()
