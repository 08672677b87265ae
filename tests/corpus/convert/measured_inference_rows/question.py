"""A row of an inference engine's log while it is being read."""

from common import NotCovered, is_whole

GIGA, MEGA = 2**30, 2**20  # logs print GiB, and flags of llama.cpp MiB
LLAMA = ("llama_cpp", "llama_cpp_2023", "llama_cpp_2024", "ik_llama_cpp", "ollama")
VLLM = ("vllm", "vllm_0_11", "vllm_0_8", "vllm_0_6")


def text(row, key):
    value = row.get(key) if isinstance(row, dict) else None
    return value if isinstance(value, str) else ""


def whole(row, key):
    value = row.get(key) if isinstance(row, dict) else None
    return int(value) if is_whole(value) else None


class Question:
    """`inputs` become the query, `needs` are inputs that do not exist yet, `figure` says what was measured."""

    def __init__(self, row):
        self.row = row
        self.inputs, self.needs, self.assumed, self.figure = {"task": "inference"}, {}, [], {}
        self.profile = ""  # "" where no profile describes the engine
        self.entry = None  # of the catalogue
        self.device = None  # the catalogue's row
        self.twin = ""  # the row that this one repeats
        self.free = 0  # bytes that the log says are left before the cache
        self.is_whole = False  # all dimensions are known, not those of the cache alone
        self.knows_cache = True  # the heads that make the cache are known
        self.is_latent = False
        self.notes = text(row, "notes").lower()

    def assume(self, what):
        if what not in self.assumed:
            self.assumed.append(what)

    def is_llama(self):
        return self.profile in LLAMA

    def is_vllm(self):
        return self.profile in VLLM

    def require_profile(self):
        if not self.profile:
            raise NotCovered(f'There is no profile of "{text(self.row, "engine")}".')
        self.inputs["profile"] = self.profile

    def require_whole(self):
        if not self.is_whole:
            raise NotCovered("The row does not state all dimensions of the model.")

    def require_device(self):
        if not text(self.row, "gpu"):
            raise NotCovered("The row does not name the device.")
        if self.device is None:
            raise NotCovered(f'The catalogue has no device "{text(self.row, "gpu")}".')

    def fill_sizes(self):
        """A custom model states all its sizes; what is asked does not depend on those that the row does not tell."""
        for size in ("hidden_size", "vocab_size", "intermediate_size"):
            if self.inputs.get("model") == "custom" and not self.inputs.get(size):
                self.inputs[size] = 1
                self.assume(f"{size}: not told, and the figure does not depend on it.")
