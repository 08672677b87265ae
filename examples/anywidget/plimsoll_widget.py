"""The element in Jupyter, marimo, Colab and VS Code, by anywidget: Estimate(model="llama-3-8b", device="rtx4090")."""

import pathlib

import anywidget
import traitlets

PACKAGE = "https://cdn.jsdelivr.net/npm/plimsoll/plimsoll-element.mjs"


class Estimate(anywidget.AnyWidget):
    _esm = pathlib.Path(__file__).parent / "plimsoll_widget.mjs"
    fields = traitlets.Dict().tag(sync=True)
    source = traitlets.Unicode(PACKAGE).tag(sync=True)

    def __init__(self, *, source=PACKAGE, **fields):
        super().__init__(fields=fields, source=source)
