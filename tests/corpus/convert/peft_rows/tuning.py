"""The configs of huggingface/peft, src/peft/tuners/*/config.py, as the product's inputs: numbers by a table, and what needs a word."""

from common import NotCovered, is_number, is_whole

from peft_rows.targets import NORMS, ask_for, check_norms, listed, targets_of
from row import text

METHODS = {
    "LORA": "lora", "IA3": "ia3", "PROMPT_TUNING": "prompt", "CPT": "prompt", "PREFIX_TUNING": "prefix", "CARTRIDGE": "prefix",
    "LN_TUNING": "norms", "ADALORA": "adalora", "GRALORA": "gralora", "VERA": "vera", "PVERA": "pvera", "LOHA": "loha", "LOKR": "lokr",
    "HIRA": "hira", "OFT": "oft", "BOFT": "boft", "HRA": "hra", "FOURIERFT": "fourier", "WAVEFT": "wavelet", "VBLORA": "vblora",
    "MISS": "miss", "BONE": "miss", "ROAD": "road", "SHIRA": "shira", "TINYLORA": "tinylora", "UNILORA": "unilora", "RANDLORA": "randlora",
    "C3A": "c3a", "DELORA": "delora", "GLORA": "glora", "LILY": "lily", "DEFT": "deft", "FROD": "frod", "PEANUT": "peanut",
    "PSOFT": "psoft", "ADAMSS": "adamss", "BEFT": "beft", "POLY": "poly", "P_TUNING": "ptuning",
    "MULTITASK_PROMPT_TUNING": "multitask_prompt", "ADAPTION_PROMPT": "adaption_prompt", "TRAINABLE_TOKENS": "tokens",
}
WITHOUT_TARGETS = ("prompt", "prefix", "ptuning", "multitask_prompt", "adaption_prompt", "tokens")
WITHOUT_RANK = ("oft", "road", "tokens", "adaption_prompt")  # whose r means something else, or nothing
NOT_CHOSEN = ("boft",)  # the product counts what trains; what is kept for the backward pass is not known, so nobody can choose it

# Keys that mean the same in every config that has them, and the input that they are.
KNOBS = {
    "r": "rank", "init_r": "rank", "num_ranks": "rank", "num_virtual_tokens": "virtual_tokens", "adapter_len": "virtual_tokens",
    "adapter_layers": "prompt_layers", "encoder_hidden_size": "prompt_encoder_size", "num_tasks": "tuning_tasks", "n_tasks": "tuning_tasks",
    "n_skills": "adapter_vectors", "num_subspaces": "adapter_vectors", "num_vectors": "adapter_vectors", "num_B": "adapter_vectors",
    "vector_length": "vector_length", "block_size": "adapter_block_size", "oft_block_size": "adapter_block_size",
    "boft_block_size": "adapter_block_size", "gralora_k": "adapter_blocks", "hybrid_r": "second_rank", "subspace_rank": "second_rank",
    "n_frequency": "coefficients", "u": "coefficients", "theta_d_length": "coefficients",
}
FROM_ZERO = ("adapter_block_size", "second_rank", "prompt_encoder_size", "prompt_layers")  # inputs that may be 0; others begin at 1
# Numbers with a default of their own: the input, and what the product takes where nobody says it.
NUMBERS = {"encoder_num_layers": ("prompt_encoder_layers", 2), "n_splits": ("adapter_splits", 1), "stride_A": ("adapter_stride", 1),
                  "depth": ("adapter_depth", 0), "decompose_factor": ("kronecker_factor", -1), "boft_block_num": ("adapter_blocks", 1),
                  "boft_n_butterfly_factor": ("butterfly_factors", 1)}
# Words and flags likewise, by method: the key, the input, the value that stands for the product's own, and what others are called.
CHOICES = {
    "oft": [("block_share", "block_share", False, {True: "true"})],
    "road": [("variant", "road_variant", "road_1", {"road_2": "2", "road_4": "4"})],
    "glora": [("config_A_B", "glora_weight_paths", "lora", {"vector": "vector", "constant": "constant", "none": "none"}),
              ("config_C", "glora_bias_path", "lora", {"vector": "vector", "none": "none"}),
              ("config_D_E", "glora_bias_vectors", "constant", {"lora": "low_rank", "vector": "vector", "none": "none"})],
    "hra": [("apply_GS", "orthogonal_reflections", False, {True: "true"})],
    "deft": [("para", "removal_only", False, {True: "true"})],
    "lokr": [("decompose_both", "decompose_both", False, {True: "true"})],
    "psoft": [("psoft_orth", "psoft_rotation", True, {False: "false"}),
              ("psoft_svd", "psoft_decomposition", "full", {"lowrank": "low_rank"}),
              ("psoft_mag_a", "psoft_input_scale", True, {False: "false"}), ("psoft_mag_b", "psoft_output_scale", True, {False: "false"})],
}
SHARES = {"tinylora": ("weight_tying", "tying_millionths"), "frod": ("sparse_rate", "trained_millionths")}

# Options that change what trains in ways that no input says: covered only when absent, null, false or empty.
NOT_COVERED = ("modules_to_save", "layers_to_transform", "layer_replication", "rank_pattern", "target_parameters",
               "trainable_token_indices", "exclude_modules", "n_frequency_pattern", "block_size_pattern", "proportional_parameters",
               "use_qalora", "use_bdlora", "arrow_config", "alora_invocation_tokens", "use_dynamic_rank", "use_asa", "velora_config",
               "monteclora_config", "kasa_config", "loftq_config", "megatron_config", "sparse", "very_sparse")
# What says nothing of memory: how weights begin, how they are scaled, what is written to disk, when a schedule steps.
HARMLESS = (
    "peft_type", "task_type", "auto_mapping", "peft_version", "base_model_name_or_path", "revision", "inference_mode", "target_modules",
    "layers_pattern", "token_dim", "num_transformer_submodules", "num_attention_heads", "num_layers", "bias", "fan_in_fan_out", "alpha",
    "lora_alpha", "randlora_alpha", "psoft_alpha", "delora_lambda", "lambda_pattern", "alpha_pattern", "scaling", "use_rslora", "eps",
    "megatron_core", "eva_config", "corda_config", "lora_ga_config", "runtime_config", "ensure_weight_tying", "qalora_group_size",
    "init_weights", "init_lora_weights", "init_ia3_weights", "init_scale", "init_v_bound", "init_theta_d_bound", "init_vector_bank_bound",
    "init_logits_std", "ab_svd_init", "decomposition_method", "d_initial", "prompt_tuning_init", "prompt_tuning_init_text",
    "prompt_tuning_init_state_dict_path", "prompt_tuning_init_task", "tokenizer_name_or_path", "tokenizer_kwargs", "target_r", "tinit",
    "tfinal", "deltaT", "beta1", "beta2", "orth_reg_weight", "total_step", "asa_target_subspaces", "init_warmup", "final_warmup",
    "mask_interval", "asa_importance_beta", "asa_uncertainty_beta", "asa_schedule_exponent", "svd_threshold", "random_seed",
    "random_loc_seed", "projection_prng_key", "projection_seed", "proj_seed", "generator_seed", "save_projection", "save_indices",
    "save_only_topk_weights", "progressbar", "runtime_offload_base_weight", "regularization_alpha", "sample_at_inference", "group_size",
    "mask_type", "wavelet_family", "use_idwt", "act_fn", "topk", "coft", "use_cayley_neumann", "num_cayley_neumann_terms",
    "cayley_neumann_eps", "psoft_svd_lowrank_niter", "use_effective_conv2d", "rank_dropout_scale", "poly_type", "cpt_token_ids", "cpt_mask",
    "cpt_tokens_type_mask", "opt_weighted_loss_type", "opt_loss_decay_factor", "opt_projection_epsilon", "opt_projection_format_epsilon",
)
# Read by take_words().
BY_WORD = ("use_dora", "lora_bias", "mini_r", "prefix_projection", "encoder_reparameterization_type", "num_frozen_tokens", "token_indices",
           "feedforward_modules")
OTHER_DROPOUTS = ("encoder_dropout", "module_dropout", "rank_dropout")  # of no adapter's input
SAME_AS_LORA = ("gaussian", "eva", "olora", "pissa", "corda", "loftq", "orthogonal", "lora_ga")


def is_set(value):
    return value not in (None, False, "", [], {})


def known_keys():
    words = [key for rows in CHOICES.values() for key, *_ in rows] + [key for key, _ in SHARES.values()]
    return {*KNOBS, *NUMBERS, *words, *HARMLESS, *BY_WORD}


def check_options(config):
    known = known_keys()
    for key, value in config.items():
        if key in NOT_COVERED and is_set(value):
            raise NotCovered(f"The option {key} is not covered.")
        if key not in known and not key.endswith("_dropout") and is_set(value):
            raise NotCovered(f"The option {key} is not understood.")
    if config.get("bias") not in (None, "", "none"):
        raise NotCovered("Training the model's own biases is not covered.")


def take_numbers(config, method, inputs):
    for key, name in KNOBS.items():
        value = config.get(key)
        if is_whole(value) and value >= (0 if name in FROM_ZERO else 1):
            inputs[name] = int(value)
    for key, (name, standard) in NUMBERS.items():
        value = config.get(key)
        if is_whole(value) and value != standard:
            inputs[name] = str(int(value))
    for key, name, standard, others in CHOICES.get(method, ()):
        value = config.get(key)
        if value in (None, standard):
            continue
        if not isinstance(value, (str, bool)) or value not in others:
            raise NotCovered(f"The option {key} says {value}, which is not covered.")
        inputs[name] = others[value]
    if method in SHARES:
        key, name = SHARES[method]
        share = config.get(key)
        if is_number(share) and 0 < share <= 1:
            inputs[name] = str(int(share * 1e6 + 0.5))


def begins_as_lora(start):
    if isinstance(start, str):
        return start in SAME_AS_LORA or start.startswith("pissa_niter_")
    return start in (None, True, False)


def lora_words(config, inputs):
    start = config.get("init_lora_weights")
    if start == "mica":
        inputs["frozen_half"] = "up"
    elif not begins_as_lora(start):
        raise NotCovered(f"LoRA that begins as {start} is not covered.")
    if config.get("use_dora"):
        inputs["method"] = "dora"
    inputs["adapter_bias"] = config.get("lora_bias") is True


def miss_words(config, inputs):
    start = config.get("init_weights")
    if start == "bat":
        inputs["method"] = "miss_bat"
    if start == "mini":
        inputs["second_rank"] = int(config["mini_r"]) if is_whole(config.get("mini_r")) else 1


def oft_words(config, inputs):
    if inputs.get("adapter_block_size", 0) <= 0:
        inputs["adapter_blocks"] = inputs.get("rank")


def prefix_words(config, inputs):
    inputs["prompt_encoder"] = "mlp" if config.get("prefix_projection") else "none"
    if is_whole(config.get("num_frozen_tokens")):  # of a cartridge
        inputs["virtual_tokens"] = max(inputs.get("virtual_tokens", 1) - int(config["num_frozen_tokens"]), 1)


def ptuning_words(config, inputs):
    inputs["prompt_encoder"] = "lstm" if config.get("encoder_reparameterization_type") == "LSTM" else "mlp"


def token_words(config, inputs):
    indices = config.get("token_indices")
    if not isinstance(indices, list) or not indices:
        raise NotCovered("The config lists no token_indices.")
    inputs["virtual_tokens"] = len(indices)


WORDS = {"lora": lora_words, "miss": miss_words, "oft": oft_words, "prefix": prefix_words, "ptuning": ptuning_words, "tokens": token_words}


def take_targets(config, method, inputs, assumed):
    if method in WITHOUT_TARGETS:
        return
    modules = listed(config.get("target_modules"))
    targets = targets_of(modules)
    if method == "norms":
        check_norms(modules)
        if modules and targets & NORMS != NORMS:
            inputs["targets"] = ",".join(sorted(targets & NORMS))
    else:
        if not modules:
            targets = {"k", "v", "down"} if method == "ia3" else {"q", "v"}
        ask_for(targets, inputs)
    if not modules:
        assumed.append("method.target_modules: the library's default for Llama")
    if method == "ia3":
        inner = targets_of(listed(config.get("feedforward_modules")))
        if inner - {"down"} or ("down" in inner) != ("down" in targets):
            raise NotCovered("IA3 is covered where the maps out of the MLP are its only feedforward_modules.")


def drops(config):
    return any(key.endswith("_dropout") and key not in OTHER_DROPOUTS and is_number(value) and value > 0 for key, value in config.items())


def tuning_of(given, assumed):
    """The inputs that say what trains."""
    type = text(given, "peft_type")
    if type == "FULL_FINETUNING":
        return {"method": "full"}
    if type not in METHODS:
        told = ": its config does not tell how many singular values train" if type == "OSF" else ""
        raise NotCovered(f"The method {type} is not covered{told}.")
    config = given.get("config")
    if not isinstance(config, dict):
        raise NotCovered("The row gives no config of its method.")
    method = METHODS[type]
    if method in NOT_CHOSEN:
        raise NotCovered(f"No input says that the method is {method}.")
    inputs = {"method": method}
    check_options(config)
    take_numbers(config, method, inputs)
    take_targets(config, method, inputs, assumed)
    if method in WORDS:
        WORDS[method](config, inputs)
    inputs["adapter_dropout"] = drops(config)
    if method in WITHOUT_RANK:
        inputs.pop("rank", None)
    return inputs
