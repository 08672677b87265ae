"""Evidence from published steps of reinforcement learning, NeMo RL's: a whole step, or the way of new weights to the engine.

python3 tests/corpus/convert/rl_steps.py IN OUT
"""

import re

import catalog
from common import NotCovered, evidence, figure, is_number, is_whole, main, query_text, said

ALIKE = {"QWEN3 30B": "qwen3-30b-a3b", "DSV3": "deepseek-v3-671b", "DeepSeek-V3": "deepseek-v3-671b", "Llama-3.1-8B-Instruct": "llama-3.1-8b"}
DEFAULTS = {"tensor_parallel": 1, "context_parallel": 1, "expert_parallel": 1, "pipeline_parallel": 1, "virtual_stages": 1, "data_parallel": 1, "sequence_parallel": False}
ASSUMED = ["Lengths of answers fall off exponentially, cut off at the longest."]
ENDS = "First and last stage have the layers that the others leave."


def model_of(row):
    found = catalog.find_model(ALIKE.get(row.get("model"), row.get("model")))
    if not found:
        raise NotCovered(f"The catalogue has no model {row.get('model')}.")
    return found["id"]


def whole(row, name):
    value = row.get(name)
    if not is_whole(value) or value < 1:
        raise NotCovered(f"{name} is no whole number above 0.")
    return int(value)


def ends_of(model, stages):
    """Layers of the first and the last stage where the model's do not divide evenly: recipes take them off the ends."""
    layers = catalog.find_model(model)["config"].get("num_hidden_layers", 0)
    middle = -(-layers // stages)
    left = layers - middle * (stages - 2)
    if stages < 2 or layers % stages == 0 or left < 2:
        return {}
    return {"first_stage_layers": -(-left // 2), "last_stage_layers": left // 2}


def step_of(row):
    """The question of a whole step."""
    if row.get("use_dynamic_sampling"):
        raise NotCovered("Dynamic sampling generates until enough prompts are left; how often is not told.")
    if not is_number(row.get("prompt_tokens_mean_implied")):
        raise NotCovered("The row does not tell how long prompts are.")
    if row.get("train_precision") != "bf16" or row.get("generation_precision") != "bf16" or row.get("speculative"):
        raise NotCovered("Only steps in bf16 without speculative decoding are covered.")
    context, answer, prompt = whole(row, "max_total_seq_len"), whole(row, "mean_generated_len"), round(row["prompt_tokens_mean_implied"])
    batch, replicas, sequences = whole(row, "train_micro_batch"), whole(row, "train_dp"), whole(row, "train_global_batch")
    packed = bool(row.get("sequence_packing"))
    rows = sequences * (prompt + answer) / context if packed else sequences
    apart = not row.get("colocated")
    experts = whole(row, "train_ep")
    return {
        "model": model_of(row),
        "device": row.get("gpu"),
        "task": "finetune",
        "profile": "nemo_rl",
        "preference": "grpo",
        "tensor_parallel": whole(row, "train_tp"),
        "sequence_parallel": bool(row.get("sequence_parallel")),
        "context_parallel": whole(row, "train_cp"),
        "pipeline_parallel": whole(row, "train_pp"),
        **ends_of(model_of(row), whole(row, "train_pp")),
        "virtual_stages": row.get("train_vp"),
        "expert_parallel": experts,
        "expert_tensor_parallel": 1 if experts > 1 else None,
        "data_parallel": replicas,
        "batch": batch,
        "micro_batches": max(1, round(rows / replicas / batch)),
        "batching": "packed" if packed else "padded",
        "context_tokens": context,
        "recompute": "full" if row.get("activation_checkpointing") else "none",
        "kl_reference": bool(row.get("reference_policy_kl")),
        "offload_roles": True if row.get("reference_policy_kl") else None,
        "scoring_batch": row.get("logprob_batch"),
        "step_prompts": whole(row, "prompts_per_step"),
        "group_size": whole(row, "generations_per_prompt"),
        "completion_tokens": context - prompt,
        "mean_prompt_tokens": prompt,
        "mean_answer_tokens": answer,
        "rollout_engine": "separate" if apart else "sleeping",
        "rollout_tensor_parallel": whole(row, "gen_tp"),
        "rollout_gpus": whole(row, "generation_gpus") if apart else None,
        "rollout_ahead": whole(row, "max_off_policy_steps") if apart and row.get("async") else None,
        "rollout_memory_fraction": row.get("vllm_gpu_memory_utilization"),
    }


def degrees(text):
    return {name: int(size) for name, size in re.findall(r"(TP|PP|EP|DP)(\d+)", text)}


def transfer_of(row):
    """The question of new weights on their way to an engine apart, shard by shard."""
    if "reshard" not in row.get("method", ""):
        raise NotCovered("The weights go through a checkpoint engine.")
    train, _, engine = row.get("mapping_train_to_generation", "").partition("→")
    train, engine = degrees(train), degrees(engine)
    return {
        "model": model_of(row),
        "device": row.get("gpu"),
        "task": "finetune",
        "profile": "nemo_rl",
        "preference": "grpo",
        "pipeline_parallel": train.get("PP", 1),
        **ends_of(model_of(row), train.get("PP", 1)),
        "expert_parallel": train.get("EP", 1),
        "expert_tensor_parallel": 1,
        "data_parallel": train.get("EP", 1),
        "rollout_engine": "separate",
        "rollout_tensor_parallel": engine["TP"],
        "rollout_gpus": engine["TP"] * engine.get("DP", 1),
        "weight_transfer": "shards",
    }


def measured_of(row):
    if row.get("kind") == "refit-only":
        parts = row.get("part_times_s") or {}
        ends = [parts[name] for name in ("refit_min", "refit_max") if is_number(parts.get(name))]
        return [figure("weight_transfer_s", sum(ends) / len(ends), "s")] if ends else []
    return [figure("learning_step_s", row["step_time_s"], "s")] if is_number(row.get("step_time_s")) else []


def convert(row):
    apart = "apart" if row.get("colocated") is False else "same GPUs"
    about = {"id": row.get("id"), "group": "weights to the engine" if row.get("kind") == "refit-only" else f"nemo rl, {apart}", "source": row.get("source"),
             "notes": row.get("notes"), "config": row.get("config_group")}
    if not row.get("use_in_test"):
        return evidence(**about, measured=measured_of(row), not_covered="The row contradicts itself.")
    try:
        inputs = transfer_of(row) if row.get("kind") == "refit-only" else step_of(row)
    except NotCovered as why:
        return evidence(**about, measured=measured_of(row), not_covered=str(why))
    assumed = ([] if row.get("kind") == "refit-only" else ASSUMED) + ([ENDS] if "first_stage_layers" in inputs else [])
    return evidence(**about, measured=measured_of(row), query=query_text(said(inputs, DEFAULTS)), assumed=assumed)


if __name__ == "__main__":
    main(convert)
