"""marimo edit examples/marimo/plimsoll.py, with anywidget installed."""

import marimo

app = marimo.App()


@app.cell
def _():
    import sys

    import marimo as mo

    sys.path.append("examples/anywidget")
    from plimsoll_widget import Estimate

    return Estimate, mo


@app.cell
def _(mo):
    batch = mo.ui.slider(1, 32, value=4, label="batch")
    batch
    return (batch,)


@app.cell
def _(Estimate, batch):
    Estimate(model="llama-3-8b", device="rtx4090", batch=batch.value)
    return


if __name__ == "__main__":
    app.run()
