"""Published parameter counts, as published lists write them and as the catalogue does."""

import unittest

from tests import product
from tests.corpora import convert, convert_one, reason_of

LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
         "intermediate_size": 14336, "vocab_size": 128256, "tie_word_embeddings": False}
LISTED = {"hf_id": "x/llama", "family": "Llama", "config": LLAMA, "params_total_published": 8030261248, "published_is_rounded": False}


class Rows(unittest.TestCase):
    def test_a_list_the_catalogue_and_a_card(self):
        catalogue = {"id": "llama-3-8b", "config": LLAMA, "published_parameters": 8030261249, "published_is_exact": True,
                     "differences": [{"what": "one more", "parameters": 1}]}
        card = {"id": "llama-3-8b", "config": LLAMA, "published_parameters": 8.0e9, "published_is_exact": False}
        listed, differing, rounded = product.compared(convert("models", LISTED, catalogue, card))
        self.assertEqual((listed["id"], listed["group"], listed["difference"]), ("x/llama", "Llama", 0))
        self.assertEqual((differing["difference"], differing["explained"], differing["unexplained_error"]), (1, 1, 0))
        self.assertEqual((rounded["measured"], rounded["measured_is_rounded"]), (8_000_000_000, True))

    def test_rows_that_are_no_model_have_a_reason(self):
        for row in ({"config": None, "params_total_published": "many"}, {"config": {}, "published_parameters": 1e300},
                    {"config": 5, "published_parameters": float("nan")}, {**LISTED, "params_total_published": 0}):
            with self.subTest(row):
                made = convert_one("models", row)
                self.assertTrue(reason_of(made))
                self.assertNotIn("query", made)

    def test_what_is_only_left_over_explains_nothing(self):
        for left, covered in ((1000, True), (10_000_000, False)):
            made = convert_one("models", {**LISTED, "diff_explained": [{"what": "remainder", "amount": left}]})
            self.assertEqual("query" in made, covered)
            self.assertNotIn("explained", made["measured"][0])


if __name__ == "__main__":
    unittest.main()
