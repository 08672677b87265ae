"""A choice by prediction is judged by what was measured of it."""

import unittest

import best_configuration


def run(name, gpus, first, each):
    scenario = f"model=m&device=d&prompt_tokens=100&answer_tokens=11&concurrency=4&tensor_parallel={gpus}"
    return [{"id": name, "status": "modelled", "metric": metric, "scenario": scenario, "predicted": predicted, "measured": measured}
            for metric, (predicted, measured) in (("ttft_ms", first), ("tpot_ms", each))]


class BestConfiguration(unittest.TestCase):
    def test_rates_are_of_one_gpu(self):
        (rates,) = best_configuration.groups_of(run("one", 1, (100, 100), (10, 10)) + run("two", 2, (100, 100), (10, 10))).values()
        self.assertEqual(rates, [[220, 220], [110, 110]])  # 4 × 11 tokens in 200 ms

    def test_what_the_choice_loses(self):
        self.assertEqual(best_configuration.lost([[2, 9], [1, 10]]), 1 - 9 / 10)
        self.assertEqual(best_configuration.lost([[1, 9], [2, 10]]), 0)

    def test_a_load_needs_two_configurations(self):
        once, again = run("one", 1, (100, 100), (10, 10)), run("again", 1, (100, 300), (10, 10))
        self.assertEqual(best_configuration.groups_of(once), {})
        self.assertEqual(best_configuration.groups_of(once + again), {})


if __name__ == "__main__":
    unittest.main()
