"""What may be asked, how, and what is said of what may not."""

import ast
import importlib
import inspect
import json
import math
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from concurrent.futures import ProcessPoolExecutor

import plimsoll
from support import LLAMA, LLAMA_PARAMETERS, printed

QUERY = "model=llama-3-8b&device=rtx4090"


class Config:
    """As transformers has it."""

    def to_dict(self):
        return LLAMA


class Model:
    config = Config()


class Models(unittest.TestCase):
    def test_however_it_is_given(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "config.json")
            path.write_text(json.dumps(LLAMA))
            for model in ("llama-3-8b", QUERY, LLAMA, Config(), Model(), path, str(path)):
                self.assertEqual(plimsoll.estimate(model, device="rtx4090").estimate.parameters, LLAMA_PARAMETERS, model)

    def test_one_of_several_files_stands_for_all(self):
        tensors = {"model.embed_tokens.weight": [64, 32], "model.norm.weight": [32]}
        for i in range(2):
            layer = f"model.layers.{i}."
            tensors |= {layer + name + ".weight": shape for name, shape in {"input_layernorm": [32], "post_attention_layernorm": [32], "self_attn.q_proj": [32, 32], "self_attn.k_proj": [32, 32],
                        "self_attn.v_proj": [32, 32], "self_attn.o_proj": [32, 32], "mlp.gate_proj": [64, 32], "mlp.up_proj": [64, 32], "mlp.down_proj": [32, 64]}.items()}
        counts = {name: math.prod(shape) for name, shape in tensors.items()}
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder, f"model-0000{i}-of-00002.safetensors") for i in (1, 2)]
            for path, names in zip(paths, (list(tensors)[:9], list(tensors)[9:])):
                header, offset = {}, 0
                for name in names:
                    header[name] = {"dtype": "BF16", "shape": tensors[name], "data_offsets": [offset, offset := offset + 2 * counts[name]]}
                text = json.dumps(header).encode()
                path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(offset))
            for given in ([paths[0]], [paths[1]], paths, paths[::-1]):
                self.assertEqual(plimsoll.import_files(*given).parameters, sum(counts.values()), given)
            self.assertEqual(plimsoll.estimate(paths[1], device="rtx4090").estimate.parameters, sum(counts.values()))
            paths[0].unlink()
            with self.assertRaises(plimsoll.InvalidQuestion):
                plimsoll.estimate(paths[1], device="rtx4090")

    def test_fields_replace_those_of_a_query(self):
        self.assertEqual(plimsoll.estimate(QUERY + "&batch=2", batch=4).scenario["batch"], 4)
        self.assertEqual(plimsoll.estimate(QUERY, device="h100-80-sxm", memory_fraction=0.5, profile="vllm").scenario["memory_fraction"], 0.5)

    def test_values(self):
        answer = plimsoll.estimate("llama-3-8b", device="rtx4090", task="finetune", method="lora", targets=["q", "v"], qkv_bias=True)
        self.assertEqual((answer.scenario["targets"], answer.scenario["qkv_bias"]), ("qv", True))


class Types(unittest.TestCase):
    def test_every_field_has_one(self):
        stub = ast.parse(pathlib.Path(plimsoll.__file__).with_name("_fields.pyi").read_text(encoding="utf-8"))
        (types,) = (node for node in stub.body if isinstance(node, ast.ClassDef))
        typed = {node.target.id for node in types.body if isinstance(node, ast.AnnAssign)}
        fields = {field.name for field in plimsoll.fields()}
        self.assertEqual(typed, fields - {"model", "device"})
        for ask in (plimsoll.estimate, plimsoll.explain, plimsoll.fit, plimsoll.plan, plimsoll.load, plimsoll.cost, plimsoll.compare):
            self.assertEqual(fields & set(inspect.signature(ask).parameters), {"model", "device"}, ask.__name__)    # none hides an input

    def test_stub_of_the_core(self):
        core = importlib.import_module("plimsoll._core")
        stub = ast.parse(pathlib.Path(plimsoll.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))
        named = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.assertEqual(named, {name for name in dir(core) if not name.startswith("__")})


class Addresses(unittest.TestCase):
    """Models of a server that behaves like the hub; what it does besides is tested with the command line."""

    def test_hub(self):
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
        self.addCleanup(sys.path.pop, 0)
        import hub

        storage = hub.Server(hub.storage)
        server = hub.hub(storage)
        for one in (storage, server):
            self.addCleanup(one.server_close)
            self.addCleanup(one.shutdown)
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, HF_ENDPOINT=server.url, PLIMSOLL_CACHE=folder, no_proxy="127.0.0.1"):
            for model in ("hf:owner/llama", "hf:owner/llama@v2", "hf:owner/llama/model.safetensors", "model=hf:owner/llama"):
                self.assertEqual(plimsoll.estimate(model, device="h100-80-sxm").estimate.parameters, hub.PARAMETERS, model)
            self.assertEqual(plimsoll.estimate("hf:owner/llama", device="h100-80-sxm", kv_heads=16).scenario["kv_heads"], 16)
            self.assertEqual(plimsoll.import_files("hf:owner/llama", offline=True).parameters, hub.PARAMETERS)
            with self.assertRaisesRegex(plimsoll.InvalidQuestion, "HF_TOKEN"):
                plimsoll.estimate("hf:owner/gated", device="h100-80-sxm")
            with self.assertRaisesRegex(plimsoll.InvalidQuestion, "not fetched before"):
                plimsoll.estimate("hf:owner/moved", device="h100-80-sxm", offline=True)


class Refused(unittest.TestCase):
    def issues(self, *words, **fields):
        with self.assertRaises(plimsoll.InvalidQuestion) as raised:
            plimsoll.estimate(*words, **fields)
        self.assertTrue(str(raised.exception))
        return {issue.field for issue in raised.exception.issues if issue.severity == "error"}

    def test_issues_name_the_field(self):
        self.assertEqual(self.issues("nope", device="rtx4090"), {"model"})
        self.assertEqual(self.issues("llama-3-8b", device="rtx4090", batch=-1), {"batch"})
        self.assertEqual(self.issues("llama-3-8b", device="rtx4090", batch={}), {"batch"})
        self.assertEqual(self.issues("llama-3-8b", device="rtx4090", contextt=1), {"contextt"})
        self.assertEqual(self.issues(17, device="rtx4090"), {"model"})
        self.assertTrue(self.issues({"model_type": "llama"}, device="rtx4090"))

    def test_what_does_not_fit_is_an_answer(self):
        self.assertFalse(plimsoll.estimate("llama-3-70b", device="rtx4090").estimate.fits)


class Sweeps(unittest.TestCase):
    def test_questions(self):
        questions = plimsoll.sweep("model=llama-3-8b&device=rtx4090,h100-80-sxm&context_tokens=8k..128k*2&batch=1..5:2")
        self.assertEqual(len(questions), 2 * 5 * 3)
        self.assertEqual(questions[0], "model=llama-3-8b&device=rtx4090&context_tokens=8192&batch=1")
        self.assertEqual(questions[-1], "model=llama-3-8b&device=h100-80-sxm&context_tokens=131072&batch=5")
        self.assertEqual(list(questions[3:5]), [questions[3], questions[4]])
        self.assertEqual(list(pickle.loads(pickle.dumps(questions[3:5]))), [questions[3], questions[4]])
        with self.assertRaises(plimsoll.InvalidQuestion):
            plimsoll.sweep("model=llama-3-8b&batch=8..2")

    def test_rows_are_those_of_the_command_line(self):
        query = "model=llama-3-8b&device=rtx4090,h100-80-sxm&context_tokens=8k..32k*2"
        lines = [json.loads(line) for line in printed("sweep", query).splitlines()]
        rows = list(plimsoll.sweep(query).rows())
        self.assertEqual(rows, [{name: value for name, value in line.items() if not name.startswith("input.")} for line in lines])

    def test_partitions(self):
        """As Ray and Spark do it: elsewhere, a part each."""
        questions = plimsoll.sweep("model=llama-3-8b&device=rtx4090,nope&batch=1..8")
        with ProcessPoolExecutor(2) as workers:
            parts = list(workers.map(rows_of, [questions[0:8], questions[8:16]]))
        self.assertEqual([row["ok"] for row in parts[0] + parts[1]], [True] * 8 + [False] * 8)
        self.assertIn("nope", parts[1][0]["issue"])


def rows_of(part):
    return list(plimsoll.map_rows(part, by_estimate=True))


class Start(unittest.TestCase):
    def test_imported_in_less_than_a_third_of_a_second(self):
        """Of the processor, which other programs do not lengthen."""
        code = "import resource, sys; before = resource.getrusage(resource.RUSAGE_SELF); import plimsoll; " \
               "after = resource.getrusage(resource.RUSAGE_SELF); print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)"
        self.assertLess(min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3)), 0.3)

    def test_command_line(self):
        words = ["estimate", "--json", QUERY]
        done = subprocess.run([sys.executable, "-m", "plimsoll", *words], capture_output=True, encoding="utf-8", env=os.environ)
        self.assertEqual((done.returncode, done.stdout), (0, printed(*words)))
        self.assertEqual(subprocess.run([sys.executable, "-m", "plimsoll", "estimate", "model=llama-3-70b&device=rtx4090"], capture_output=True).returncode, 3)

    def test_files(self):
        answer = plimsoll.import_files(text="vllm serve meta-llama/Meta-Llama-3-8B --max-model-len 8192", device="rtx4090")
        self.assertEqual((answer.kind, answer.fields["device"], answer.fields["context_tokens"]), ("command_line", "rtx4090", "8192"))
        self.assertTrue(plimsoll.estimate(**answer.fields).ok)
        with self.assertRaises(plimsoll.InvalidQuestion):
            plimsoll.import_files("no such file")


if __name__ == "__main__":
    unittest.main()
