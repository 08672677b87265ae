"""Cuts one training step into the moments of core/method/moments/moments.hpp and reads the allocator's peak in each.

A cut reads the peak since the last cut and resets it. Cuts are made by module hooks (forward) and by hooks on the
tensors between the modules (backward), so the model's code runs unchanged and the hooks hold no tensor."""

from families import decoder_layers, head_of


class Moments:
    def __init__(self, model, detail=True, on_cut=None):
        import torch
        self.cuda = torch.cuda
        self.on_cut = on_cut          # the anatomy run wants to know where each interval starts
        self.cuts, self.label, self.forward, self.handles = [], None, False, []
        self.boundaries = []          # bytes allocated as each decoder layer starts its forward pass
        if detail:
            self._attach(model)

    def _attach(self, model):
        layers = list(decoder_layers(model))
        for index, layer in enumerate(layers):
            self.handles.append(layer.register_forward_pre_hook(self._before_layer(index), with_kwargs=True))
        self.handles.append(layers[-1].register_forward_hook(self._after_layers(len(layers) - 1)))
        head = head_of(model)
        self.handles.append(head.register_forward_pre_hook(self._before_head))
        self.handles.append(head.register_forward_hook(self._after_head))

    def detach(self):
        for handle in self.handles:
            handle.remove()
        self.handles = []

    def cut(self, label):
        """Ends the running interval and starts the one called `label`; None ends without starting another."""
        peak, now = self.cuda.max_memory_allocated(), self.cuda.memory_allocated()
        if self.label is not None:
            self.cuts.append((self.label, peak, now))
        self.label = label
        if self.on_cut:
            self.on_cut(label)
        self.cuda.reset_peak_memory_stats()

    def begin_step(self):
        self.cuts, self.label, self.boundaries, self.forward = [], None, [], True
        self.cuda.reset_peak_memory_stats()
        self.cut("forward_layers")

    def begin_backward(self):
        self.forward = False
        self.cut("loss_backward")

    # Checkpointing runs a layer's forward hooks again during the backward pass: `forward` tells the two apart.

    def _before_layer(self, index):
        def hook(_module, args, kwargs):
            if not self.forward:
                return
            self.boundaries.append(self.cuda.memory_allocated())
            hidden = args[0] if args else kwargs.get("hidden_states")
            # The input's gradient is complete when the layer above it is done: the start of layer index - 1.
            if hidden is not None and hidden.requires_grad:
                label = f"layer_backward/{index - 1}" if index else "embedding_backward"
                hidden.register_hook(lambda _grad: self.cut(label))
        return hook

    def _after_layers(self, last):
        def hook(_module, _args, output):
            if not self.forward:
                return
            hidden = output[0] if isinstance(output, tuple) else output
            self.boundaries.append(self.cuda.memory_allocated())
            if hidden.requires_grad:
                hidden.register_hook(lambda _grad: self.cut(f"layer_backward/{last}"))
            self.cut("forward_end")
        return hook

    def _before_head(self, _module, args):
        if self.forward and args and args[0].requires_grad:
            args[0].register_hook(lambda _grad: self.cut("norm_backward"))

    def _after_head(self, _module, _args, output):
        if self.forward and output.requires_grad:
            output.register_hook(lambda _grad: self.cut("head_backward"))

    def summary(self):
        """Peaks by moment, and one entry per layer from last to first, in bytes."""
        peaks, ends, layer_peaks, layer_ends = {}, {}, [], []
        for label, peak, end in self.cuts:
            if label.startswith("layer_backward/"):
                layer_peaks.append(peak)
                layer_ends.append(end)
            else:
                peaks[label] = max(peak, peaks.get(label, 0))
                ends[label] = end
        if layer_peaks:
            peaks["last_layer_backward"], peaks["first_layer_backward"] = layer_peaks[0], layer_peaks[-1]
        saved = [b - a for a, b in zip(self.boundaries, self.boundaries[1:])]
        return {"peaks": peaks, "allocated_after": ends, "layer_peaks": layer_peaks, "layer_ends": layer_ends,
                "layer_saved": saved, "peak": max((p for _, p, _ in self.cuts), default=0)}
