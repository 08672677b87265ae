"""What autograd keeps, tensor by tensor: each storage once, charged to the module in whose forward pass it was first saved."""

from families import decoder_layers, facts_of, shape_of
from loop import clean_slate, compute_context, forward_options


def saved(scenario, alone=True):
    import torch
    from train import build
    clean_slate()
    shape, model = build(scenario)
    inputs = torch.randint(1, shape["vocab"], (scenario["batch"], scenario["seq"]), device="cuda")
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    layer = list(decoder_layers(model))[1]
    names = {module: name or "layer" for name, module in layer.named_modules()}
    stack, seen, rows, outside = [], set(), [], [0]

    def enter(module, *_):
        stack.append(names[module])

    def leave(module, *_):
        stack.pop()

    handles = []
    for module in names:
        handles += [module.register_forward_pre_hook(enter), module.register_forward_hook(leave)]

    def pack(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() in weights or storage.data_ptr() in seen or tensor.device.type != "cuda":
            return tensor.detach()
        seen.add(storage.data_ptr())
        if stack:
            rows.append([stack[-1], str(tensor.dtype).replace("torch.", ""), list(tensor.shape), storage.nbytes()])
        else:
            outside[0] += storage.nbytes()
        # A detached twin: an output kept by its own node would be a cycle that is never collected.
        return tensor.detach()

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        with compute_context(scenario["regime"]):
            out = model(input_ids=inputs, labels=inputs, **forward_options(scenario))
    nodes = graph_nodes(out.loss.grad_fn)
    for handle in handles:
        handle.remove()
    by_module = {}
    for name, _, _, size in rows:
        by_module[name] = by_module.get(name, 0) + size
    return {"kind": "saved_tensors", "model": facts_of(shape),
            "workload": {"micro_batch": scenario["batch"], "seq_len": scenario["seq"]},
            "measured": {"layer_bytes": sum(row[3] for row in rows), "by_module": by_module, "tensors": rows,
                         "bytes_outside_this_layer": outside[0], "attention_node": nodes}}


def graph_nodes(root):
    """Names of attention nodes in the graph: they tell which kernel ran."""
    found, todo, done = {}, [root], set()
    while todo:
        node = todo.pop()
        if node is None or node in done:
            continue
        done.add(node)
        name = type(node).__name__
        if "ScaledDot" in name or "Softmax" in name:
            found[name] = found.get(name, 0) + 1
        todo += [following for following, _ in node.next_functions]
    return found
