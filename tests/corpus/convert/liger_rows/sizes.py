"""The sizes of one benchmark row: the swept one, else the config's, else the swept model's."""

from common import NotCovered, is_whole
from row import section, text

# Liger-Kernel, benchmark/scripts/benchmark_model_configs.py.
MODELS = {
    "llama_2_7b": {"hidden": 4096, "intermediate": 11008, "vocabulary": 32000},
    "llama_3_8b": {"hidden": 4096, "intermediate": 14336, "vocabulary": 128256},
    "qwen2.5_7b": {"hidden": 3584, "intermediate": 18944, "vocabulary": 152064},
    "qwen2.5_14b": {"hidden": 5120, "intermediate": 13824, "vocabulary": 152064},
    "qwen2.5_72b": {"hidden": 8192, "intermediate": 29568, "vocabulary": 152064},
    "deepseek_v2_lite": {"hidden": 2048, "intermediate": 10944, "vocabulary": 102400},
    "deepseek_v3": {"hidden": 7168, "intermediate": 18432, "vocabulary": 129280},
    "lfm2_1.2b": {"hidden": 2048, "intermediate": 12288, "vocabulary": 65536},
    "lfm2_moe_8b_a1b": {"hidden": 2048, "intermediate": 7168, "vocabulary": 65536},
}
NAMES = {
    "hidden": ("hidden_size", "H", "D"),
    "intermediate": ("intermediate_size",),
    "vocabulary": ("V", "vocab_size"),
    "tokens": ("BT",),
    "sequence": ("T", "S", "seq_len"),
    "sequences": ("B", "bsz"),
    "tensor_parallel": ("TP",),
}
FORMATS = {"torch.float32": 4, "torch.bfloat16": 2, "torch.float16": 2}


class Sizes:
    def __init__(self, row):
        self.x, self.config = section(row, "x"), section(row, "config")
        self.model = MODELS.get(self.x.get("value")) if isinstance(self.x.get("value"), str) else {}
        if self.model is None:
            raise NotCovered("The sizes of that benchmark model are not known.")

    def find(self, size, standard=None):
        for name in NAMES[size]:
            value = self.x.get("value") if self.x.get("name") == name else self.config.get(name)
            if is_whole(value) and value >= 1:
                return int(value)
        return self.model.get(size, standard)

    def need(self, size):
        value = self.find(size)
        if value is None:
            raise NotCovered(f"The row does not tell the {size}.")
        return value

    def rows(self):
        """Sequences and the tokens of one: rows as such are one sequence."""
        tokens = self.find("tokens")
        return (1, tokens) if tokens else (self.find("sequences", 1), self.need("sequence"))

    def element_bytes(self, standard):
        given = text(self.config, "dtype")
        if given and given not in FORMATS:
            raise NotCovered(f"The number format {given} is not known.")
        return FORMATS.get(given, standard)
