// The beginning of a model file, as many bytes as its header has. Files of weights are gigabytes long, and their headers say
// everything that an estimate needs: nothing behind the header is read, and nothing is sent.

import { issue, kind_of, tag_of } from './plimsoll-input.mjs';

const remedy = 'Pass a File, a Blob, an ArrayBuffer, a Uint8Array, or the text of a config.json.';

/**
 * {bytes, size, name}: the first bytes of a source, the size of all of it, and its name where it has one; or {issues} when it
 * cannot be read. Rejects only when `signal` is aborted.
 */
export async function header_of(core, source, { name, signal, on_progress } = {}) {
  signal?.throwIfAborted();
  const named = typeof name === 'string' ? name : '';
  if (typeof source === 'string') return whole(new TextEncoder().encode(source), named);
  try {
    if (ArrayBuffer.isView(source)) return whole(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), named);
    const tag = tag_of(source);
    if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') return whole(new Uint8Array(source), named);
    if (tag !== 'Blob' && tag !== 'File') return { issues: [issue('', `A model file is not ${kind_of(source)}.`, remedy)] };
    const bytes = await first_bytes(core, source, signal, on_progress);
    return { bytes, size: source.size, name: named || name_of(source) };
  } catch (reason) {
    signal?.throwIfAborted();
    return { issues: [unreadable(named || name_of(source), reason)] };
  }
}

const whole = (bytes, name) => ({ bytes, size: bytes.length, name });

/** A File has a name, a Blob has none, and a hostile object may throw when it is looked at. */
function name_of(source) {
  try {
    return typeof source.name === 'string' ? source.name : '';
  } catch {
    return '';
  }
}

function unreadable(name, reason) {
  const what = name === '' ? 'The file' : name;
  const why = typeof reason?.message === 'string' && reason.message !== '' ? ` (${reason.message})` : '';
  return issue('', `${what} cannot be read${why}.`, 'Choose one file, not a folder, and choose it again if it has changed since.');
}

/** Asks the core how many bytes it needs, reads them, and asks again, until they are enough. */
async function first_bytes(core, blob, signal, on_progress) {
  let bytes = new Uint8Array(0);
  for (;;) {
    const need = core.header_bytes_needed(bytes, blob.size);
    if (need.enough || need.bytes <= bytes.length) return bytes;
    const longer = await extended(bytes, blob, need.bytes, signal, on_progress);
    if (longer.length < need.bytes) throw new Error('it is shorter than it was when it was chosen');
    bytes = longer;
  }
}

/** `bytes` with what follows them in the blob, up to `length` bytes in all. */
async function extended(bytes, blob, length, signal, on_progress) {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  let read = bytes.length;
  const reader = blob.slice(read, length).stream().getReader();
  const stop = () => reader.cancel().catch(() => {}); // a disk that hangs must not keep the caller
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return longer.subarray(0, read);
      longer.set(value.subarray(0, length - read), read);
      read = Math.min(length, read + value.length);
      on_progress?.({ bytes: read, of: length });
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
