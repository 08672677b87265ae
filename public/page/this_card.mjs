// The GPU that draws this page, as far as the browser tells: a first guess at the card that somebody asks about. It stays in the page.

const software = /swiftshader|llvmpipe|software|basic render|virgl/i;
const vague = /or similar/i; // Firefox names a whole class by one of its cards

/** "NVIDIA GeForce RTX 3090", "Apple M2 Max"; "" where the browser does not say, or draws without a GPU. */
export function name_of_renderer() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const text = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext(); // a browser has few of them, and the drawing wants one
  if (software.test(text) || vague.test(text)) return '';
  const angle = /^ANGLE \([^,]*, (?:ANGLE Metal Renderer: )?([^,]*?)(?: \(0x[0-9a-f]+\))?(?: Direct3D.*| OpenGL.*| Vulkan.*)?,/i.exec(text);
  return (angle ? angle[1] : text).replace(/\/.*/, '').trim();
}

const words_of = (text) => text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);

const tells_apart = (word) => /\d/.test(word) || /^(ti|super|xt|xtx|max|ultra|pro|laptop|mobile)$/.test(word);

/**
 * The name of the one device of [{id, label}] that is meant by what the browser says; "" where none is, or several may be: a Mac has its chip with
 * many sizes of memory, and a laptop's GPU another one than the card of that name.
 */
export function card_named(renderer, devices) {
  const said = words_of(renderer);
  if (!said.some((word) => /\d/.test(word))) return '';
  const meant = devices.filter(({ label }) => {
    const words = words_of(label).filter((word) => !/^\d+gb$/.test(word));
    return words.every((word) => said.includes(word)) && said.filter(tells_apart).every((word) => words.includes(word));
  });
  return meant.length === 1 ? meant[0].label : '';
}
