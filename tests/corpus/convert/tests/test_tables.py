"""Tables of torchtitan, torchtune and LitGPT: pipelines, techniques that stand on each other, recipes."""

import unittest

from tests import product
from tests.corpora import convert_one, evidence_of, inputs_of, reason_of, row_of

INTERLEAVED = "torchtitan/t5/Interleaved_1F1B"


def converted(id):
    return next(one for one in evidence_of("tables") if one["id"] == id)


def inputs(id):
    return inputs_of(converted(id))


class Pipelines(unittest.TestCase):
    def test_fewer_layers_at_both_ends_and_a_micro_batch_for_each_stage(self):
        row = row_of("tables", INTERLEAVED)
        row["strategy"]["schedule"] = "1F1B"
        made = inputs_of(convert_one("tables", row))
        # 15, 16, 16, 16, 16, 16, 16 and 15 layers: embedding and loss count as one each
        self.assertEqual((made["layers"], made["pipeline_parallel"]), ("126", "8"))
        self.assertEqual((made["embedding_in_split"], made["loss_in_split"]), ("true", "true"))
        self.assertEqual((made["batch"], made["micro_batches"]), ("4", "8"))
        self.assertNotIn("virtual_stages", made)

    def test_interleaved_stages_have_two_parts_each(self):
        made = inputs(INTERLEAVED)
        # 7, fourteen times 8, and 7
        self.assertEqual((made["virtual_stages"], made["embedding_in_split"], made["loss_in_split"]), ("2", "true", "true"))
        self.assertEqual((made["batch"], made["micro_batches"]), ("2", "16"))

    def test_the_split_of_the_product_is_torchtitans(self):
        """Weights of the stages: the chunks written out weigh what the split gives."""
        row = row_of("tables", INTERLEAVED)
        queries = {}
        for schedule, chunks in (("1F1B", [15] + [16] * 6 + [15]), ("Interleaved 1F1B", [7] + [8] * 14 + [7])):
            row["strategy"]["schedule"] = schedule
            query = convert_one("tables", row)["query"]
            written = query.replace("&embedding_in_split=true&loss_in_split=true", f"&chunk_layers={','.join(map(str, chunks))}")
            self.assertNotEqual(query, written)
            for rank in (0, 1, 7):
                figure = {"counter": "allocated", "unit": "bytes", "rank": rank, "moment": "between_steps"}
                queries[f"{schedule} {rank} split"], queries[f"{schedule} {rank} written"] = (query, figure), (written, figure)
        found = product.asked(queries)
        for name, value in found.items():
            self.assertEqual(value, found[name.replace("split", "written")], name)

    def test_uneven_stages_are_written_out(self):
        row = row_of("tables", INTERLEAVED)
        row["strategy"]["schedule"], row["model"]["layers"] = "1F1B", 124
        self.assertEqual(inputs_of(convert_one("tables", row))["chunk_layers"], "15,16,16,16,16,15,15,15")

    def test_a_loss_that_was_not_compiled_in_2024(self):
        self.assertEqual(inputs(INTERLEAVED)["loss"], "torch_float")
        self.assertEqual(inputs("torchtitan/h200_nodes8")["loss"], "torch_float_compiled")
        self.assertNotIn("loss", inputs("torchtitan/t1/FSDP"))  # not compiled

    def test_fp8_that_is_gathered(self):
        self.assertEqual(inputs("torchtitan/h200_nodes8")["fp8"], "gathered")


class Techniques(unittest.TestCase):
    def test_those_of_torchtunes_readme_stand_on_each_other(self):
        unpacked = converted("torchtune/llama3.2-3b/Baseline")
        self.assertIn("not packed", reason_of(unpacked))
        row = row_of("tables", "torchtune/llama3.2-3b/Baseline")
        row["workload"]["packed"] = True
        baseline = inputs_of(convert_one("tables", row))
        self.assertEqual((baseline.get("mlp"), baseline["recompute"]), (None, "none"))
        chunked = inputs("torchtune/llama3.2-3b/Chunked_Cross_Entropy")
        self.assertEqual((chunked["mlp"], chunked["loss"]), ("compiled", "chunked_compiled"))
        eight = inputs("torchtune/llama3.2-3b/8_bit_AdamW")
        self.assertEqual((eight["optimizer"], eight["optimizer_in_backward"], eight["recompute"]), ("adamw_8bit", "true", "offloaded"))

    def test_adapters_replace_the_optimizers(self):
        qlora = inputs("torchtune/llama3.2-3b/QLoRA")
        self.assertNotIn("optimizer_in_backward", qlora)
        self.assertEqual((qlora["method"], qlora["weight_dtype"], qlora["rank"]), ("lora", "nf4_double_quant", "64"))

    def test_the_gpu_that_is_half_as_fast_again_recomputes_nothing(self):
        for gpu, recompute in (("4090", "full"), ("A6000", "none")):
            adapters = inputs(f"torchtune/Llama-3.1-8B_LoRA_1x{gpu}")
            self.assertEqual((adapters["recompute"], adapters["targets"], adapters["rank"]), (recompute, "qv", "8"))


class LitGPT(unittest.TestCase):
    def test_rank_from_the_parameters_that_train(self):
        made = converted("litgpt/lora/Llama-2_7B_bnb.nf4-dq_mb1_x1")
        self.assertEqual(inputs_of(made)["rank"], "8")
        self.assertEqual(product.asked({"x": (made["query"], product.TRAINABLE)})["x"], 4_194_304)

    def test_the_file_says_which_model_not_the_column_beside_it(self):
        row = row_of("tables", "litgpt/hub/phi-2_full.yaml_4xA10G")
        row |= {"id": "litgpt/hub/gemma2-2b_lora.yaml_1xA10G", "model_id": "gemma-2b"}
        row["implementation"]["method"], row["gpu"]["name"] = "lora", "A10G"
        self.assertEqual(inputs_of(convert_one("tables", row))["model"], "gemma-2-2b")

    def test_machines_of_several_gpus_shard_whole_models(self):
        self.assertEqual(inputs("litgpt/hub/phi-2_full.yaml_4xA10G")["sharding"], "parameters")


class Models(unittest.TestCase):
    def test_by_name_and_by_shapes(self):
        self.assertEqual(inputs("litgpt/lora/phi-1.5_1.3B_None_mb1_x1")["model"], "phi-1.5-1.4b")
        made = converted("torchtitan/t1/FSDP")
        self.assertEqual(inputs_of(made)["model"], "custom")
        self.assertEqual(product.asked({"x": (made["query"], product.PARAMETERS)})["x"], 8_030_261_248)

    def test_every_row_is_covered_or_says_why(self):
        reasons = {one["id"]: reason_of(one) for one in evidence_of("tables") if "query" not in one}
        self.assertTrue(all(reasons.values()))
        self.assertEqual(len(reasons), 3)


if __name__ == "__main__":
    unittest.main()
