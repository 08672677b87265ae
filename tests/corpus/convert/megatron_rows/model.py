"""The model as Megatron-LM builds it (NVIDIA/Megatron-LM, megatron/core/models/gpt/gpt_layer_specs.py, megatron/core/models/hybrid,
megatron/core/transformer), said by the dimensions that the product takes, and by a config where only a config can say it."""

from common import NotCovered

MOST_LAYERS = 10_000
MOST_DEPTHS = 64
POSITIONS = {"learned": True, "rope": False, "none": False}
LETTERS = "M*-E"  # Mamba-2, attention, MLP, experts


def read_norm(model):
    words = {"rmsnorm": "rmsnorm", "layernorm": "layernorm" if model.flag("norm_bias", True) else "layernorm_no_bias"}
    return model.choice("norm", words)


def read_frame(draft):
    model, inputs = draft.model, draft.inputs
    if not model.has("padded_vocab"):
        raise NotCovered("The row does not say the vocabulary.")
    positions = model.integer("max_positions", draft.workload.integer("seq_len"))
    inputs.update(
        model="custom",
        hidden_size=model.integer("hidden"),
        vocab_size=model.integer("padded_vocab"),
        max_context=positions,
        learned_positions=positions if model.choice("position", POSITIONS) else 0,
        norm=read_norm(model),
        tied_embeddings=model.flag("tied", True),
        mlp_kind="gated" if model.flag("gated_mlp") else "plain",
        mlp_bias=model.flag("linear_bias"),
    )


def read_attention(draft):
    model, inputs = draft.model, draft.inputs
    inputs.update(query_heads=model.integer("heads"), kv_heads=model.integer("kv_heads"), head_dim=model.integer("head_dim"),
                  qkv_bias=model.flag("linear_bias"), output_bias=model.flag("linear_bias"))
    if model.flag("qk_norm"):
        inputs["qk_norm"] = "per_head_layernorm" if inputs["norm"] == "layernorm" else "per_head"
    share = model.real("rotary_percent", 1.0)
    if 0 < share < 1:
        draft.config["partial_rotary_factor"] = share


def read_latent(draft):
    model, inputs, mla = draft.model, draft.inputs, draft.model.inside("mla")
    inputs.update(query_heads=model.integer("heads"), q_lora_rank=mla.integer("q_lora_rank", 0, 0),
                  kv_lora_rank=mla.integer("kv_lora_rank"), qk_nope_head_dim=mla.integer("qk_head_dim"),
                  qk_rope_head_dim=mla.integer("qk_pos_emb_head_dim"), v_head_dim=mla.integer("v_head_dim"))
    draft.config["model_type"] = "deepseek_v3"
    # Megatron norms the latent vectors only with --qk-layernorm, and with the model's own kind of norm
    # (megatron/core/transformer/multi_latent_attention.py).
    if not model.flag("qk_norm"):
        draft.needs["latent_norms"] = "none"
    elif inputs["norm"] == "layernorm":
        draft.needs["latent_norms"] = "layernorm"
    if model.flag("linear_bias"):
        draft.needs["output_bias"] = True


def by_layer(given, layers, name):
    if not isinstance(given, list) or len(given) != layers or any(mark not in (0, 1) for mark in given):
        raise NotCovered(f"{name} is not a list of 0 and 1 with one entry for each layer.")
    return [int(mark) for mark in given]


def read_experts(draft):
    model, inputs, moe = draft.model, draft.inputs, draft.model.inside("moe")
    inputs.update(experts=moe.integer("experts"), experts_per_token=moe.integer("top_k"), expert_size=moe.integer("ffn"),
                  shared_expert_size=moe.integer("shared_ffn", 0, 0))
    if moe.flag("shared_gate"):
        inputs["shared_expert_gate"] = True
    if latent := moe.integer("latent", 0, 0):
        (inputs if is_hybrid(draft) else draft.needs)["expert_latent_size"] = latent


def place_experts(draft):
    """Which layers have experts: all of them unless moe.layer_freq lists them."""
    given = draft.model.inside("moe").find("layer_freq")
    marks = by_layer(given, draft.layers, "model.moe.layer_freq") if given is not None else [1] * draft.layers
    dense = marks.index(1) if 1 in marks else len(marks)
    if marks == [0] * dense + [1] * (len(marks) - dense):
        draft.inputs["dense_layers"] = dense
    else:
        draft.config["moe_layer_freq"] = marks
    if 0 in marks:
        draft.inputs["intermediate_size"] = draft.model.integer("ffn_hidden")


def is_hybrid(draft):
    return draft.model.inside("hybrid").has("pattern")


def hybrid_letters(draft):
    """The letters of the main stack, cuts of the pipeline left in, and of one prediction depth."""
    pattern = draft.model.inside("hybrid").text("pattern")
    if len(pattern) > MOST_LAYERS:
        raise NotCovered("model.hybrid.pattern has more than 10000 layers.")
    main, *depths = pattern.split("/")
    if any(depth != depths[0] for depth in depths):
        raise NotCovered("model.hybrid.pattern has prediction depths that differ.")
    own = draft.arguments.text("--mtp-hybrid-override-pattern")
    if len(own) > MOST_DEPTHS:
        raise NotCovered("--mtp-hybrid-override-pattern has more than 64 layers.")
    predicted = depths[0] if depths else own
    for letter in main + predicted:
        if letter not in LETTERS + "|" or (letter == "E" and not draft.model.has("moe")):
            raise NotCovered(f"model.hybrid.pattern has a layer of kind {letter!r}, which is not known here.")
    return main, predicted, len(depths)


def read_state_space(draft):
    hybrid, inputs = draft.model.inside("hybrid"), draft.inputs
    inputs.update(ssm_head_dim=hybrid.integer("mamba_head_dim"), ssm_state_size=hybrid.integer("mamba_state_dim"),
                  ssm_groups=hybrid.integer("mamba_num_groups"), conv_kernel=hybrid.integer("conv_kernel", 4))
    channels = hybrid.integer("expand", 2) * inputs["hidden_size"]
    if not hybrid.has("mamba_num_heads") and channels % inputs["ssm_head_dim"]:
        raise NotCovered("model.hybrid.mamba_head_dim does not divide the channels of the state space.")
    inputs["ssm_heads"] = hybrid.integer("mamba_num_heads", channels // inputs["ssm_head_dim"])


def read_hybrid(draft):
    if draft.model.has("mla"):
        raise NotCovered("Latent attention in a stack whose layers are written out has no input.")
    main, predicted, depths = hybrid_letters(draft)
    draft.config.update(model_type="nemotron_h", hybrid_override_pattern=main.replace("|", ""))
    draft.prediction_depths = depths
    if predicted:
        draft.config["mtp_hybrid_override_pattern"] = predicted
    if len(main.replace("|", "")) != draft.layers:
        raise NotCovered("model.hybrid.pattern does not have model.layers layers.")
    if "*" in main + predicted:
        read_attention(draft)
    if "M" in main + predicted:
        read_state_space(draft)
    if "-" in main + predicted:
        draft.inputs["intermediate_size"] = draft.model.integer("ffn_hidden")
    if "E" in main + predicted:
        read_experts(draft)
        draft.inputs["correction_bias"] = False


def read_linear(draft):
    """Gated DeltaNet in all layers but every n-th, or where a list says so (megatron/core/transformer/transformer_config.py,
    linear_attention_freq)."""
    linear, inputs = draft.model.inside("linear_attention"), draft.inputs
    given = linear.find("linear_attention_freq")
    if isinstance(given, list):
        marks = by_layer(given, draft.layers, "model.linear_attention.linear_attention_freq")
        draft.config["layer_types"] = ["linear_attention" if mark else "full_attention" for mark in marks]
    elif given is not None:
        inputs["full_attention_interval"] = linear.integer("linear_attention_freq")
    else:
        return
    draft.config["model_type"] = "qwen3_next"
    inputs.update(linear_key_heads=linear.integer("linear_num_key_heads"), linear_value_heads=linear.integer("linear_num_value_heads"),
                  linear_key_dim=linear.integer("linear_key_head_dim"), linear_value_dim=linear.integer("linear_value_head_dim"),
                  conv_kernel=linear.integer("linear_conv_kernel_dim", 4), attention_gate=draft.model.flag("attention_output_gate"),
                  prediction_layers=0)
    inputs.setdefault("qk_norm", "none")
    if not draft.model.has("moe"):
        inputs["experts"] = 0


def read_stack(draft):
    if draft.model.has("mla"):
        read_latent(draft)
    else:
        read_attention(draft)
        if draft.model.has("linear_attention"):
            read_linear(draft)
        if draft.model.flag("attention_output_gate") and draft.config.get("model_type") != "qwen3_next":
            draft.needs["attention_gate"] = True
    if draft.model.has("moe"):
        read_experts(draft)
        place_experts(draft)
    else:
        draft.inputs["intermediate_size"] = draft.model.integer("ffn_hidden")


def read_prediction(draft):
    """Multi-token prediction (megatron/core/transformer/multi_token_prediction.py)."""
    stated = draft.prediction_depths
    depths = draft.model.integer("mtp_layers", stated, 0, MOST_DEPTHS)
    if stated and stated != depths:
        raise NotCovered("model.mtp_layers is not the number of prediction depths in model.hybrid.pattern.")
    draft.prediction_depths = depths
    if not depths:
        draft.config.pop("mtp_hybrid_override_pattern", None)
        return
    if "model_type" not in draft.config:
        draft.config.update(model_type="deepseek_v3", use_mla=False)
    draft.inputs["prediction_layers"] = depths
    draft.inputs["trains_prediction"] = True
    if depths > 1 and draft.arguments.flag("--mtp-use-repeated-layer"):
        raise NotCovered("No input says that prediction depths share one layer.")


def read_model(draft):
    read_frame(draft)
    draft.layers = draft.inputs["layers"] = draft.model.integer("layers", most=MOST_LAYERS)
    if is_hybrid(draft):
        read_hybrid(draft)
    else:
        read_stack(draft)
    read_prediction(draft)
    if draft.config.get("model_type") == "deepseek_v3":
        draft.inputs.update({"correction_bias": False} if draft.inputs.setdefault("experts", 0) else {})
    if draft.config:
        draft.inputs["config"] = {"model_type": "decoder", **draft.config}
