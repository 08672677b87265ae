// Headers of model files as their formats specify them, for Llamas, and files that are larger than anybody's memory.

export const small = { hidden: 256, inner: 512, heads: 8, kv_heads: 2, head_dim: 32, vocab: 1000, layers: 2 };
/** Llama 3 70B: 141 GB in bf16. */
export const large = { hidden: 8192, inner: 28672, heads: 64, kv_heads: 8, head_dim: 128, vocab: 128256, layers: 80 };

/** [name, rows before columns] of each tensor, by the names of the Hugging Face hub. */
function tensors_of({ hidden, inner, heads, kv_heads, head_dim, vocab, layers }) {
  const layer_of = (layer) => [
    ['input_layernorm', [hidden]],
    ['self_attn.q_proj', [heads * head_dim, hidden]],
    ['self_attn.k_proj', [kv_heads * head_dim, hidden]],
    ['self_attn.v_proj', [kv_heads * head_dim, hidden]],
    ['self_attn.o_proj', [hidden, heads * head_dim]],
    ['post_attention_layernorm', [hidden]],
    ['mlp.gate_proj', [inner, hidden]],
    ['mlp.up_proj', [inner, hidden]],
    ['mlp.down_proj', [hidden, inner]],
  ].map(([name, shape]) => [`model.layers.${layer}.${name}.weight`, shape]);
  return [
    ['model.embed_tokens.weight', [vocab, hidden]],
    ...Array.from({ length: layers }, (_, layer) => layer_of(layer)).flat(),
    ['model.norm.weight', [hidden]],
    ['lm_head.weight', [vocab, hidden]],
  ];
}

const elements_of = (shape) => shape.reduce((product, size) => product * size, 1);
export const parameters_of = (model) => tensors_of(model).reduce((sum, [, shape]) => sum + elements_of(shape), 0);

/** {bytes, size}: the header of a safetensors file in bf16, and the size of the whole file. */
export function safetensors(model) {
  const entries = {};
  let at = 0;
  for (const [name, shape] of tensors_of(model)) {
    const end = at + 2 * elements_of(shape);
    entries[name] = { dtype: 'BF16', shape, data_offsets: [at, end] };
    at = end;
  }
  const json = new TextEncoder().encode(JSON.stringify(entries));
  const bytes = new Uint8Array(8 + json.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  return { bytes, size: bytes.length + at };
}

const gguf_names = {
  'model.embed_tokens.weight': 'token_embd.weight', 'model.norm.weight': 'output_norm.weight', 'lm_head.weight': 'output.weight',
};
const gguf_parts = {
  input_layernorm: 'attn_norm', 'self_attn.q_proj': 'attn_q', 'self_attn.k_proj': 'attn_k', 'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output', post_attention_layernorm: 'ffn_norm', 'mlp.gate_proj': 'ffn_gate', 'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};
const gguf_name = (name) => gguf_names[name] ??
  name.replace(/^model\.layers\.(\d+)\.(.+)\.weight$/, (_, layer, part) => `blk.${layer}.${gguf_parts[part]}.weight`);

/** {bytes, size}: the header of a GGUF file, version 3: that of `large` is many reads long by its vocabulary. */
export function gguf(model) {
  const { hidden, inner, heads, kv_heads, head_dim, vocab, layers } = model;
  const tensors = tensors_of(model);
  const parts = [];
  const put = (size, write) => {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    parts.push(new Uint8Array(view.buffer));
  };
  const u32 = (value) => put(4, (view) => view.setUint32(0, value, true));
  const u64 = (value) => put(8, (view) => view.setBigUint64(0, BigInt(value), true));
  const f32 = (value) => put(4, (view) => view.setFloat32(0, value, true));
  const string = (text) => {
    const utf8 = new TextEncoder().encode(text);
    u64(utf8.length);
    parts.push(utf8);
  };
  const kinds = { u32: 4, f32: 6, string: 8, array: 9 };
  const metadata = [
    ['general.architecture', () => (u32(kinds.string), string('llama'))],
    ['general.name', () => (u32(kinds.string), string('Small Llama'))],
    ['general.file_type', () => (u32(kinds.u32), u32(1))],
    ['llama.block_count', () => (u32(kinds.u32), u32(layers))],
    ['llama.context_length', () => (u32(kinds.u32), u32(2048))],
    ['llama.embedding_length', () => (u32(kinds.u32), u32(hidden))],
    ['llama.feed_forward_length', () => (u32(kinds.u32), u32(inner))],
    ['llama.attention.head_count', () => (u32(kinds.u32), u32(heads))],
    ['llama.attention.head_count_kv', () => (u32(kinds.u32), u32(kv_heads))],
    ['llama.attention.layer_norm_rms_epsilon', () => (u32(kinds.f32), f32(1e-5))],
    ['llama.rope.dimension_count', () => (u32(kinds.u32), u32(head_dim))],
    ['llama.vocab_size', () => (u32(kinds.u32), u32(vocab))],
    ['tokenizer.ggml.tokens', () => {
      u32(kinds.array);
      u32(kinds.string);
      u64(vocab);
      for (let i = 0; i < vocab; ++i) string(`token ${i}, long enough to make a header of many pages`);
    }],
  ];
  parts.push(new TextEncoder().encode('GGUF'));
  u32(3);
  u64(tensors.length);
  u64(metadata.length);
  for (const [key, write] of metadata) {
    string(key);
    write();
  }
  let at = 0;
  for (const [name, shape] of tensors) {
    const is_half = shape.length > 1; // norms stay in 32 bits
    string(gguf_name(name));
    u32(shape.length);
    for (const size of [...shape].reverse()) u64(size);
    u32(is_half ? 1 : 0);
    u64(at);
    at += Math.ceil(((is_half ? 2 : 4) * elements_of(shape)) / 32) * 32;
  }
  const bytes = Buffer.concat(parts);
  const start = Math.ceil(bytes.length / 32) * 32;
  return { bytes: new Uint8Array(bytes), size: start + at };
}

/** A file of `size` bytes of which only the first lie in memory; `read` counts the bytes that were asked for. */
export function huge_file({ bytes, size }, name = 'model.safetensors') {
  const file = {
    name, size, read: 0, furthest: 0, [Symbol.toStringTag]: 'File',
    slice(from, to) {
      file.read += to - from;
      file.furthest = Math.max(file.furthest, to);
      const known = bytes.subarray(from, to);
      return new Blob([known, new Uint8Array(to - from - known.length)]);
    },
  };
  return file;
}
