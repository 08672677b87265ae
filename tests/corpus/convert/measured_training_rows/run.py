"""A row of measured training runs while it is being read."""

from common import NotCovered, is_number, is_whole


def member(value, key):
    return value.get(key) if isinstance(value, dict) else None


def text(row, key):
    value = member(row, key)
    return value if isinstance(value, str) else ""


def whole(row, key):
    value = member(row, key)
    return int(value) if is_whole(value) else None


def quoted(text):
    return f"“{text if len(text) <= 60 else text[:60] + '…'}”"


class Run:
    """`inputs` become the query, `needs` are inputs that do not exist yet, `figure` says what was measured."""

    def __init__(self, row):
        self.row = row
        self.framework = None
        self.inputs = {}
        self.needs = {}
        self.assumed = []
        self.figure = {"counter": "allocated"}

    @property
    def profile(self):
        return self.inputs["profile"]

    def is_compiled(self):
        return self.inputs.get("norms") == "compiled"

    def devices(self):
        degrees = ("data_parallel", "tensor_parallel", "pipeline_parallel", "context_parallel")
        product = 1
        for degree in degrees:
            product *= self.inputs.get(degree, 1)
        return product

    def assume(self, what):
        if what not in self.assumed:
            self.assumed.append(what)

    def refuse_rest(self, field, text, rest):
        """A text of which words are left that no phrase takes."""
        if rest:
            raise NotCovered(f'The row\'s "{field}" says {quoted(text)}, of which {quoted(rest)} is not understood.')

    def refuse(self, field, text):
        raise NotCovered(f'The row\'s "{field}" says {quoted(text)}, which is not covered.')

    def compile_all(self):
        """torch.compile on the whole model, and on the loss where the framework's flag takes it along and the row names no other way to
        it: torchtitan (components/loss.py). In torchtune, a loss in chunks is compiled chunk by chunk (training/_compile.py,
        compile_loss); where it compiles an ordinary one, its measurements show no less memory in it: its README, 60.0 and 51.0 GiB."""
        self.inputs["norms"] = self.inputs["mlp"] = "compiled"
        loss = self.inputs.get("loss")
        if loss == "chunked" and self.profile == "torchtune":
            self.inputs["loss"] = "chunked_compiled"
        if loss is None and self.profile == "torchtitan":
            self.inputs["loss"] = "torch_float_compiled"
            self.assume("The loss is compiled with the model.")


def drops(value):
    """Dropout probability above 0, or true."""
    return value if isinstance(value, bool) else is_number(value) and value > 0
