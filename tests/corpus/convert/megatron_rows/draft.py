"""A row of Megatron-LM's tests while it is being read."""

from sections import Section


class Draft:
    """`inputs` become the query. `config` says of the model what no input of its own says. `needs` are inputs that do not exist yet."""

    def __init__(self, row):
        for name in ("model", "workload", "strategy", "precision", "implementation"):
            setattr(self, name, Section(row, name))
        self.arguments = Section(row, "raw_args")
        self.environment = Section(row, "raw_env")
        self.row = row
        self.inputs, self.config, self.needs, self.assumed = {}, {}, {}, []
        self.layers = 0
        self.prediction_depths = 0

    @property
    def runs_engine(self):
        """Transformer Engine's layers run, not Megatron's own."""
        words = {"transformer_engine": True, "local": False}
        chosen = self.implementation.choice("transformer_impl", words, "transformer_engine")
        return chosen and self.implementation.flag("te_installed", True)
