"""The same step inside transformers' Trainer: what it adds is references, casts of the outputs and clipping."""

import tempfile

from loop import clean_slate
from moments import Moments


def trainer(scenario, alone=True):
    import torch
    from transformers import Trainer, TrainerCallback, TrainingArguments, default_data_collator
    from train import build, measured_row, parameter_facts
    base = clean_slate()
    shape, model = build({**scenario, "recompute": "none"})
    facts = parameter_facts(model)
    after_model = torch.cuda.memory_allocated() - base
    moments, summaries, allocated = Moments(model), [], []
    rows = [torch.randint(1, shape["vocab"], (scenario["seq"],)) for _ in range(scenario["batch"] * scenario["steps"])]
    data = [{"input_ids": row, "labels": row} for row in rows]

    class Cuts(TrainerCallback):
        def on_step_begin(self, *_args, **_kwargs):
            moments.begin_step()

        def on_pre_optimizer_step(self, *_args, **_kwargs):
            moments.cut("optimizer_step")

        def on_step_end(self, *_args, **_kwargs):
            moments.cut(None)
            summaries.append(moments.summary())
            allocated.append(torch.cuda.memory_allocated())

    class Measured(Trainer):
        def compute_loss(self, *args, **kwargs):
            loss = super().compute_loss(*args, **kwargs)
            moments.begin_backward()
            return loss

    with tempfile.TemporaryDirectory() as folder:
        options = dict(
            output_dir=folder, per_device_train_batch_size=scenario["batch"], max_steps=scenario["steps"],
            bf16=scenario["regime"] == "mixed_bf16", optim=scenario.get("optim", "adamw_torch_fused"), report_to=[],
            save_strategy="no", logging_strategy="no", disable_tqdm=True, learning_rate=1e-5,
            gradient_checkpointing=scenario["recompute"] != "none", dataloader_num_workers=0)
        if scenario["recompute"] != "none":
            options["gradient_checkpointing_kwargs"] = {"use_reentrant": False}
        measured = Measured(model=model, args=TrainingArguments(**options), train_dataset=data,
                            data_collator=default_data_collator, callbacks=[Cuts()])
        measured.train()
    moments.detach()
    return measured_row({**scenario, "loop": "trainer"}, shape, facts, {
        "allocated_before": base, "allocated_model": after_model, "allocated_first": allocated[0],
        "allocated_steady": allocated[-1], "peak_first": summaries[0]["peak"],
        "peak_steady": max(s["peak"] for s in summaries[1:]),
        "reserved_max_in_process": torch.cuda.max_memory_reserved(), "first": summaries[0], "steady": summaries[-1],
        **facts})
