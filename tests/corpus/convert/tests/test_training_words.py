"""Words of measured training runs: what number formats, optimizers, recomputation and attention become, and that no word is dropped."""

import unittest

from tests.training_row import inputs_with, reason_with


class NumberFormats(unittest.TestCase):
    def test_words_become_precisions_which_follow_the_framework_where_it_keeps_a_master_copy(self):
        for words, precision in (("bf16-true", "bf16"), ("bf16 params/grads/optimizer", "bf16"),
                              ("fp32 params/grads/Adam, bf16 compute (FSDP2 MixedPrecision)", "sharded_bf16"),
                              ("bf16 (AMP)", "mixed_bf16"), ("float32", "fp32"), ("fp16 params, fp32 master", "master_fp16"),
                              ("bf16, fp32 main grads", "master_bf16")):
            with self.subTest(words):
                self.assertEqual(inputs_with(dtype_amp=words)["precision"], precision)
        self.assertEqual(inputs_with(dtype_amp="bf16", framework="Megatron-LM")["precision"], "master_bf16")

    def test_gradients_and_fp8_are_said_beside_the_precision(self):
        self.assertEqual(inputs_with(dtype_amp="bf16, fp32 main grads")["gradient_dtype"], "fp32")
        self.assertEqual(inputs_with(dtype_amp="fp8 current scaling + bf16")["fp8"], "compute")

    def test_what_is_not_stated_or_not_known_is_no_precision(self):
        self.assertIn("not covered", reason_with(dtype_amp="fp32/bf16 not stated"))
        self.assertIn("posit16", reason_with(dtype_amp="posit16"))
        self.assertTrue(reason_with(dtype_amp=16))


class Optimizers(unittest.TestCase):
    def test_words_become_optimizers(self):
        for words, optimizer in (("AdamW fused (bf16 states)", "adamw_fused"), ("AdamW", "adamw_foreach"),
                                 ("AdamW foreach=False", "adamw_forloop"), ("adamw_bnb_8bit", "adamw_8bit"),
                                 ("AdamW 8-bit (torchao)", "adamw_8bit"), ("bnb PagedAdamW", "paged_adamw"),
                                 ("PagedAdamW8bit (bnb)", "paged_adamw_8bit"), ("LOMO fused update", "lomo")):
            with self.subTest(words):
                self.assertEqual(inputs_with(optimizer=words)["optimizer"], optimizer)

    def test_where_and_on_what_it_steps(self):
        self.assertEqual(inputs_with(optimizer="PagedAdamW (bnb), optimizer-in-backward")["optimizer_in_backward"], "true")
        self.assertEqual(inputs_with(optimizer="GaLore r1024, per-layer update")["optimizer_rank"], "1024")
        replicas = {"dp": 4, "tp": 1, "pp": 1, "cp": 1, "ep": 1, "zero": 0, "sp": False}
        self.assertEqual(inputs_with(optimizer="Adam, distributed optimizer", parallelism=replicas)["sharding"], "optimizer")
        self.assertNotIn("sharding", inputs_with(optimizer="Adam, distributed optimizer"))  # one GPU keeps everything

    def test_the_rest_of_a_text_is_never_dropped(self):
        self.assertIn("not covered", reason_with(optimizer="AdamW 4-bit (torchao)"))
        self.assertIn("with warp drive”", reason_with(optimizer="AdamW with warp drive"))


class Recomputation(unittest.TestCase):
    def test_words_become_choices(self):
        for words, choice in (("full (non-reentrant)", "full"),
                              ("selective (op-level: saves matmul/sdpa outputs, every 2nd mm)", "per_op"),
                              ("full + CPU activation offload", "offloaded"), ("selective: core_attn", "selective")):
            with self.subTest(words):
                self.assertEqual(inputs_with(checkpointing=words)["recompute"], choice)
        second = inputs_with(checkpointing="selective (every 2nd layer)")
        self.assertEqual((second["recompute"], second["recompute_layers"]), ("every_k", "2"))

    def test_what_is_not_told_or_has_no_input_is_refused(self):
        self.assertIn("does not tell", reason_with(checkpointing="unknown"))
        self.assertIn("no field", reason_with(checkpointing="selective: moe"))


class Attention(unittest.TestCase):
    def test_words_become_kernels(self):
        for words, kernel in (("unfused scores + fused softmax kernel", "fused_softmax"), ("sdpa (flash)", "flash"),
                              ("eager (HF 2023)", "eager"), ("flash-attention 2", "flash")):
            with self.subTest(words):
                self.assertEqual(inputs_with(attention=words)["attention"], kernel)

    def test_kernels_of_liger_take_the_loss_with_them(self):
        inputs = inputs_with(attention="sdpa + Liger kernels")
        self.assertEqual((inputs["loss"], inputs["norms"], inputs["mlp"]), ("liger_fused_linear", "fused", "fused"))


if __name__ == "__main__":
    unittest.main()
