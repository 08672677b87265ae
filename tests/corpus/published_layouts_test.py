"""Whether Megatron-LM would start a layout, and what stands beside what."""

import unittest

import published_layouts

MODEL = {"query_heads": 64, "kv_heads": 8, "layers": 80, "experts": 0}
LAYOUT = {"tensor_parallel": 8, "pipeline_parallel": 4, "virtual_stages": 5, "context_parallel": 1, "expert_parallel": 1, "data_parallel": 2, "micro_batches": 8,
          "first_stage_layers": 0, "last_stage_layers": 0, "chunk_layers": "", "expert_tensor_parallel": 0, "ends_count": False}


def refused(model=None, **layout):
    return published_layouts.refused(LAYOUT | layout, MODEL | (model or {}), 8, 4096)


class PublishedLayouts(unittest.TestCase):
    def test_a_published_layout_starts(self):
        self.assertEqual(refused(), [])

    def test_each_constraint_refuses(self):
        self.assertIn("tensor_parallel spans nodes", refused(tensor_parallel=16))
        self.assertIn("layers do not divide into chunks", refused(virtual_stages=3))
        self.assertEqual(refused(virtual_stages=3, first_stage_layers=19), [])
        self.assertEqual(refused(pipeline_parallel=2, virtual_stages=2, chunk_layers="21,20,20,19"), [])
        self.assertIn("chunks that are written out are not all layers", refused(pipeline_parallel=2, virtual_stages=2, chunk_layers="21,20,20,20"))
        self.assertIn("interleaved micro-batches are no multiple of the stages", refused(micro_batches=6))
        self.assertIn("experts are no multiple of expert_parallel", refused({"experts": 12}, expert_parallel=8))
        self.assertIn("expert_parallel does not divide its ranks", refused({"experts": 96}, expert_parallel=32))
        self.assertIn("expert_parallel does not divide its ranks", refused({"experts": 96}, expert_parallel=16))
        self.assertEqual(refused({"experts": 96}, expert_parallel=16, expert_tensor_parallel=1), [])
        self.assertIn("sequences do not divide among context_parallel", refused(context_parallel=3))

    def test_embedding_and_loss_count_as_layers_where_they_do(self):
        self.assertIn("layers do not divide into chunks", refused({"layers": 126}, virtual_stages=4))
        self.assertEqual(refused({"layers": 126}, virtual_stages=4, ends_count=True), [])


if __name__ == "__main__":
    unittest.main()
