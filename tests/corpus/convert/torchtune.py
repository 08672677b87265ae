"""torchtune's README lists techniques from top to bottom, each on top of those before; the last two train adapters instead, without the
two that change the optimizer."""

from words import letters_of

COMPILED = {"norms": "compiled", "mlp": "compiled"}
# Names that tables give a technique, and what it adds. A loss in chunks is compiled chunk by chunk (torchtune/training/_compile.py,
# compile_loss).
LADDER = (
    (("baseline", "baselineunpacked"), {}),
    (("packeddataset", "packed"), {}),
    (("compile",), COMPILED),
    (("chunkedcrossentropy", "chunkedce"), {"loss": "chunked_compiled"}),
    (("activationcheckpointing",), {"recompute": "full"}),
    (("fuseoptimizerstepintobackward", "optimizerinbackward"), {"optimizer_in_backward": True}),
    (("activationoffloading",), {"recompute": "offloaded"}),
    (("8bitadamw",), {"optimizer": "adamw_8bit"}),
)
ADAPTERS = {"lora": "bf16", "qlora": "nf4_double_quant"}  # what the frozen weights are stored in
OF_THE_OPTIMIZER = ("optimizer", "optimizer_in_backward")


def climbed(technique):
    """The inputs of all techniques up to that one, and the format of frozen weights where it trains adapters; None where it is unknown."""
    name, inputs = letters_of(technique), {}
    for names, added in LADDER:
        inputs |= added
        if name in names:
            return inputs, None
    if name in ADAPTERS:
        return {key: value for key, value in inputs.items() if key not in OF_THE_OPTIMIZER}, ADAPTERS[name]
    return None
