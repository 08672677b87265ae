"""What is measured of a row of Megatron-LM's tests: bytes of the last rank, of which step and moment, and the time of a step."""

import unittest

from tests.corpora import convert_one, row_of

SEVEN = "megatron/gpt/gpt3_7b_tp4_pp1_memory_speed/dev_dgx_gb200"


def bytes_of(made):
    return [one["metric"] for one in made["measured"] if one["counter"] == "allocated"]


class Figures(unittest.TestCase):
    def test_three_figures_of_a_first_run(self):
        row = row_of("megatron", SEVEN)
        measured = {one["metric"]: one for one in convert_one("megatron", row)["measured"] if one["counter"] == "allocated"}
        self.assertEqual(list(measured), ["allocated_steady", "peak_steady", "peak_first"])
        for metric, one in measured.items():
            self.assertEqual((one["counter"], one["rank"], one["unit"], one["value"]), ("allocated", "last", "bytes", row["measured"][metric]))
        self.assertEqual(measured["allocated_steady"]["moment"], "between_steps")
        self.assertEqual([one["step"] for one in measured.values()], ["steady", "steady", "first"])
        self.assertNotIn("moment", measured["peak_steady"])

    def test_a_resumed_run_has_no_first_step_and_is_kept_apart(self):
        row = row_of("megatron", SEVEN)
        row["run"] = "resumed second run"
        made = convert_one("megatron", row)
        self.assertEqual(bytes_of(made), ["allocated_steady", "peak_steady"])
        self.assertEqual(made["set"], "resumed second run")

    def test_a_run_that_was_logged_from_a_later_iteration_has_no_first_step(self):
        row = row_of("megatron", SEVEN)
        row["measured"]["first_iteration"] = 2
        self.assertEqual(bytes_of(convert_one("megatron", row)), ["allocated_steady", "peak_steady"])

    def test_the_median_of_the_iterations_is_the_time_of_a_step(self):
        row = row_of("megatron", SEVEN)
        row["measured"].update(iteration_time_s_median=1.25, iteration_time_s_p10=1.2)
        self.assertEqual(convert_one("megatron", row)["measured"][-1], {"counter": "step_time_s", "value": 1.25, "unit": "s", "metric": "step_time_s"})

    def test_iterations_of_a_host_that_was_shared_say_nothing(self):
        row = row_of("megatron", SEVEN)
        row["measured"].update(iteration_time_s_median=1.25, iteration_time_s_p10=0.9)
        self.assertEqual(bytes_of(convert_one("megatron", row)), [one["metric"] for one in convert_one("megatron", row)["measured"]])

    def test_figures_that_are_no_numbers_are_none(self):
        row = row_of("megatron", SEVEN)
        row["measured"].update(allocated_steady=None, peak_steady="58 GB", peak_first=True, iteration_time_s_median="1.5 s")
        self.assertEqual(convert_one("megatron", row)["measured"], [])


if __name__ == "__main__":
    unittest.main()
