"""What was measured, as figures; bytes and numbers of parameters are whole and more than nothing."""

from common import figure, is_number, is_whole
from row import section


def counted(members, key, counter, unit="bytes", metric=None, **more):
    value = members.get(key)
    return [figure(counter, int(value), unit, metric=metric or key, **more)] if is_whole(value) and value > 0 else []


def timed(members, key, counter, unit="s", scale=1, metric=None):
    value = members.get(key)
    return [figure(counter, value * scale, unit, metric=metric or key)] if is_number(value) and value > 0 else []


def parameters(measured, inputs):
    """Numbers of the model and of its adapters, which torch counts together."""
    if inputs.get("task") != "finetune":
        return counted(measured, "parameters", "parameters", "parameters")
    adapters = counted(measured, "trainable", "trainable_parameters", "parameters")
    return counted(measured, "parameters", "parameters", "parameters", explained=adapters[0]["value"] if adapters else None) + adapters


def of_steps(measured, inputs):
    """Peaks of the first and of the last step, what is left after it, what PyTorch had reserved by then, and the time of a step without
    hooks."""
    return (counted(measured, "peak_steady", "allocated") + counted(measured, "peak_first", "allocated", step="first")
            + counted(measured, "allocated_steady", "allocated", moment="between_steps")
            + counted(measured, "reserved_max_in_process", "reserved") + parameters(measured, inputs)
            + timed(section(measured, "seconds"), "step", "step_time_s", metric="seconds.step"))


def of_process(measured, _inputs):
    """What the driver says of the device, where nothing else runs."""
    trained = section(measured, "stages", "trained")
    before, used, reserved = measured.get("used_before"), trained.get("device_used"), trained.get("reserved")
    made = counted(measured, "peak_steady", "allocated") + counted(measured, "reserved_max", "reserved")
    if before == 0 and is_whole(used) and is_whole(reserved):
        made += counted(trained, "device_used", "process", metric="stages.trained.device_used")
        made += counted({"context": used - reserved}, "context", "process", moment="context")
    return made


def of_anatomy(measured, _inputs):
    """A step's peak by replay, over what was allocated before."""
    moments, before = measured.get("moments"), measured.get("allocated_before")
    peaks = [section({"moment": moment}, "moment").get("peak") for moment in moments] if isinstance(moments, list) else []
    if not peaks or not all(map(is_whole, [before, *peaks])):
        return []
    return counted({"peak": before + max(peaks)}, "peak", "allocated", metric="moments.peak")


def of_prompts(measured, _inputs):
    """Of the second run, with kernels compiled and workspaces made."""
    return (counted(measured, "peak_prefill", "allocated") + counted(measured, "weights", "weights") + parameters(measured, {})
            + timed(measured, "seconds_prefill", "ttft_ms", "ms", 1000))


def of_answers(measured, _inputs):
    return timed(measured, "seconds_decode", "tpot_ms", "ms", 1000)


def of_kernels(measured):
    nanoseconds = {key: round(value * 1e9) for key in ("seconds", "seconds_backward") if is_number(value := measured.get(key))}
    return [one for key in nanoseconds for one in counted(nanoseconds, key, "kernel_time_ns", "ns")]
