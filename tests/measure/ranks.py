"""One GPU as one rank of many. The fake process group moves nothing, so values are rubbish; buffers are a rank's real ones."""


def start_group(world, backend):
    import os

    import torch.distributed as dist
    if dist.is_initialized():
        dist.destroy_process_group()
    if backend == "fake":
        from torch.testing._internal.distributed.fake_pg import FakeStore
        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=world)
    else:
        os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
        os.environ["MASTER_PORT"] = str(29500 + os.getpid() % 2000)
        dist.init_process_group(backend, rank=0, world_size=world)


def wrap_model(model, ranks):
    import torch
    from families import decoder_layers
    start_group(ranks["world"], ranks.get("backend", "fake"))
    if ranks["kind"] == "ddp":
        return torch.nn.parallel.DistributedDataParallel(
            model, device_ids=[0], gradient_as_bucket_view=ranks.get("bucket_view", False))
    from torch.distributed.device_mesh import init_device_mesh
    mesh = init_device_mesh("cuda", (ranks["world"],))
    if ranks["kind"] == "fsdp2":
        from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
        types = {"bf16": torch.bfloat16, "fp32": torch.float32, None: None}
        options = dict(mesh=mesh, reshard_after_forward=ranks.get("reshard", True), mp_policy=MixedPrecisionPolicy(
            param_dtype=types[ranks.get("param_dtype")], reduce_dtype=types[ranks.get("reduce_dtype")]))
        for layer in decoder_layers(model):
            fully_shard(layer, **options)
        return fully_shard(model, **options)
    return split_tensors(model, mesh)


def split_tensors(model, mesh):
    """Heads, MLP channels and vocabulary split, logits gathered: PyTorch's own plan for Llama over transformers' code."""
    from torch.distributed.tensor import Replicate
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
    plan = {"model.embed_tokens": RowwiseParallel(input_layouts=Replicate(), output_layouts=Replicate())}
    for name in ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "mlp.gate_proj", "mlp.up_proj"):
        plan[f"model.layers.*.{name}"] = ColwiseParallel()
    for name in ("self_attn.o_proj", "mlp.down_proj"):
        plan[f"model.layers.*.{name}"] = RowwiseParallel()
    plan["lm_head"] = ColwiseParallel(output_layouts=Replicate())
    return parallelize_module(model, mesh, plan)
