"""Answers are the bytes of the command line, and dataclasses have every member of them."""

import dataclasses
import itertools
import json
import typing
import unittest
from concurrent.futures import ThreadPoolExecutor

import plimsoll
from plimsoll import _core, answers
from plimsoll.money import PriceRow
from plimsoll.presets import CatalogAnswer, Field
from support import golden_queries, printed

SERVED = "model=qwen3-32b&device=h100-80-sxm&profile=vllm&tensor_parallel=4&prompt_tokens=1024&answer_tokens=256&concurrency=8"
DIVIDED = "model=qwen3-32b&device=h100-80-sxm&profile=vllm&data_parallel=3&disaggregation=decode&prefill_replicas=1&prompt_tokens=1024&answer_tokens=256&concurrency=8"
TRAINED = "model=llama-3-8b&task=finetune&device=h100-80-sxm&gpus=8&price_per_gpu_hour=2"


def lost(kind, data, path=""):
    """Members of JSON that the dataclass has not."""
    if data is None:
        return
    inside = typing.get_args(kind)
    if inside and type(None) in inside:
        yield from lost(next(part for part in inside if part is not type(None)), data, path)
    elif typing.get_origin(kind) is list:
        for element in data:
            yield from lost(inside[0], element, path + "[]")
    elif dataclasses.is_dataclass(kind):
        hints = {name.rstrip("_"): hint for name, hint in typing.get_type_hints(kind).items()}
        for name, value in data.items():
            if name not in hints:
                yield f"{path}.{name}"
            else:
                yield from lost(hints[name], value, f"{path}.{name}")


class SameBytes(unittest.TestCase):
    def test_estimate_and_explain(self):
        def differing(name, query):
            def ours(ask):
                try:
                    return ask(query).to_json()
                except plimsoll.InvalidQuestion as error:
                    return error.issues

            for command, ask in (("estimate", plimsoll.estimate), ("explain", plimsoll.explain)):
                answer, text = ours(ask), printed(command, "--json", query)
                if isinstance(answer, str) and answer + "\n" != text:
                    return f"{command} {name}"
                if not isinstance(answer, str) and json.loads(text)["ok"]:
                    return f"{command} {name} raised {answer}"
            return None

        queries = list(golden_queries())
        queries += [(model.id, f"model={model.id}&device=h100-80-sxm&task={task}") for model, task in zip(plimsoll.catalog().models[::5], itertools.cycle(("inference", "finetune")))]
        self.assertGreater(len(queries), 80)
        with ThreadPoolExecutor() as workers:
            self.assertEqual([name for name in workers.map(lambda pair: differing(*pair), queries) if name], [])

    def test_other_questions(self):
        self.assertEqual(plimsoll.fit(SERVED, largest="context_tokens").to_json() + "\n", printed("fit", SERVED, "--largest", "context_tokens", "--json"))
        self.assertEqual(plimsoll.advise(SERVED).to_json() + "\n", printed("fit", SERVED, "--advice", "--json"))
        self.assertEqual(plimsoll.sensitivity(SERVED).to_json() + "\n", printed("fit", SERVED, "--sensitivity", "--json"))
        self.assertEqual(plimsoll.load(SERVED, first_token_ms=500).to_json() + "\n", printed("load", SERVED, "--first-token-ms", "500", "--json"))
        divided = plimsoll.load(DIVIDED, splits=True)
        self.assertEqual(divided.to_json() + "\n", printed("load", DIVIDED, "--splits", "--json"))
        self.assertGreater(len(divided.splits), 1)
        self.assertEqual(plimsoll.plan(TRAINED).to_json() + "\n", printed("plan", TRAINED, "--json"))
        self.assertEqual(plimsoll.cost("device=h100-80-sxm&gpus=8&hours=10", today="2026-11-01", most=10).to_json() + "\n",
                         printed("cost", "device=h100-80-sxm&gpus=8&hours=10&today=2026-11-01", "--json"))
        self.assertEqual(plimsoll.export(SERVED, to="vllm").to_json() + "\n", printed("export", SERVED, "--to", "vllm", "--json"))
        self.assertEqual(plimsoll.estimate(SERVED, cost=True, today="2026-11-01").to_json() + "\n", printed("estimate", SERVED, "--cost", "--today", "2026-11-01", "--json"))
        self.assertEqual(_core.catalog() + "\n", printed("catalog", "--json"))
        self.assertEqual(_core.fields() + "\n", printed("fields", "--json"))


class Dataclasses(unittest.TestCase):
    def test_every_member_is_there(self):
        asked = [(answers.ExplainAnswer, plimsoll.explain(query)) for _, query in list(golden_queries())[::7] if json.loads(printed("estimate", "--json", query))["ok"]]
        asked += [
            (answers.EstimateAnswer, plimsoll.estimate(SERVED, cost=True)),
            (answers.EstimateAnswer, plimsoll.estimate("llama-3-8b", device="h100-80-sxm", task="pretrain", train_tokens=10**9, data_parallel=8, cost=True)),
            (answers.SolveAnswer, plimsoll.fit(SERVED, largest="batch")),
            (answers.FitAdvice, plimsoll.advise(SERVED)),
            (answers.FitAdvice, plimsoll.advise("model=llama-3-8b&task=finetune&device=rtx4090")),
            (answers.LoadAnswer, plimsoll.load(SERVED, first_token_ms=500)),
            (answers.LoadAnswer, plimsoll.load(DIVIDED, splits=True)),
            (answers.PlanAnswer, plimsoll.plan(TRAINED)),
            (answers.ServingPlan, plimsoll.plan("model=llama-3-8b&task=inference&device=h100-80-sxm&gpus=2")),
            (answers.CostAnswer, plimsoll.cost("device=h100-80-sxm&gpus=8&hours=10&budget=500&price_per_gpu_hour=2")),
            (answers.ExportAnswer, plimsoll.export(SERVED, to="vllm")),
        ]
        self.assertEqual(sorted({f"{kind.__name__}{name}" for kind, answer in asked for name in lost(kind, answer.to_dict())}), [])
        self.assertEqual(list(lost(list[Field], json.loads(_core.fields()))), [])
        self.assertEqual(list(lost(list[PriceRow], json.loads(_core.prices("2026-11-01")))), [])
        self.assertEqual(sorted(set(lost(CatalogAnswer, json.loads(_core.catalog())))), [])

    def test_values_are_typed(self):
        answer = plimsoll.explain("llama-3-8b", device="rtx4090", context_tokens=8192, batch=4)
        self.assertEqual(answer.estimate.peak.bytes, 21_806_850_048)
        self.assertEqual(answer.estimate.moments[0].parts[0].id, "memory.weights")
        self.assertEqual(answer.explanation.memory.parts[0].basis, "counted")
        self.assertEqual(answer.to_dict()["estimate"]["peak"]["text"], answer.estimate.peak.text)
        self.assertTrue(str(answer).startswith("Fits. 3.21 GiB to spare."))
        self.assertIsNone(answer.estimate.time)


class Card(unittest.TestCase):
    def test_it_says_what_the_answer_says(self):
        html = plimsoll.estimate("llama-3-8b", device="rtx4090", context_tokens=8192, batch=4)._repr_html_()
        for said in ("Llama 3 8B on GeForce RTX 4090", "Batch: 4 sequences", "Fits.", "usable 23.7 GiB", "KV cache", "4.00 GiB", 'class="fits"', "@scope (.plimsoll-estimate)"):
            self.assertIn(said, html)
        self.assertNotIn(":host", html)

    def test_what_does_not_fit_looks_so(self):
        self.assertIn('class="over"', plimsoll.estimate("llama-3-70b", device="rtx4090")._repr_html_())


if __name__ == "__main__":
    unittest.main()
