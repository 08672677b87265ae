// The states of the screen that have an approved picture: every size, sharp and not, light and dark, what does not fit, what cannot be
// computed, and the tabs. Few of them look at the same thing twice.

const desk = [1440, 900], laptop = [1024, 768], phone = [390, 844];

const serve = 'model=llama-3-8b&device=rtx4090&task=inference&context_tokens=8192&batch=4';
const overload = 'model=llama-3-8b&device=rtx4090&task=finetune';
const pipeline = 'model=llama-3-70b&device=h100-80-sxm&task=pretrain&tensor_parallel=4&pipeline_parallel=4&data_parallel=2';
const job = 'model=llama-3-8b&device=h100-80-sxm&task=pretrain&pipeline_parallel=4&data_parallel=16&micro_batches=16&train_tokens=1000000000000';
const error = 'model=llama-3-8b&batch=many';

// Prices grow old and say so: every picture is taken on this day.
export const today = '2026-06-01T12:00:00Z';

/**
 * In the browser. `shows`: "canvas" (the default), or "text" where there is no WebGL 2; `text`: the panel with the result as text is open;
 * `ratio`: pixels of the screen to one of the page; `factor`: of shrinking.
 */
export const page_states = [
  { name: 'page-serve-light', query: serve, size: desk, factor: 2 },
  { name: 'page-serve-dark-sharp', query: serve, size: desk, ratio: 2, dark: true, factor: 4 },
  { name: 'page-overload', query: overload, size: laptop, factor: 2 },
  { name: 'page-timeline-dark', query: pipeline, view: 'tab=timeline&rank=2', size: laptop, dark: true, factor: 2 },
  { name: 'page-time', query: job, view: 'tab=time', size: desk, factor: 2 },
  { name: 'page-phone-sharp', query: serve, size: phone, ratio: 2, factor: 2 },
  { name: 'page-phone-text-dark', query: overload, size: phone, dark: true, text: true, factor: 1 },
  { name: 'page-error', query: error, size: laptop, factor: 2 },
  { name: 'page-no-webgl', query: pipeline, size: laptop, shows: 'text', factor: 2 },
];

/** In a window of the desktop, `ratio` and `factor` as above. The program has no clock that could be set: no state shows prices. */
export const desktop_states = [
  { name: 'desktop-serve', query: serve, size: desk, factor: 2 },
  { name: 'desktop-overload-light', query: overload, size: laptop, light: true, factor: 2 },
  { name: 'desktop-pipeline-phone', query: pipeline, size: phone, factor: 1 },
  { name: 'desktop-pipeline-sharp', query: pipeline, size: laptop, ratio: 2, factor: 4 },
  { name: 'desktop-timeline-light', query: pipeline, view: 'tab=timeline&rank=2', size: laptop, light: true, factor: 2 },
  { name: 'desktop-compare', query: serve, view: 'tab=compare&pin1=model%3Dllama-3-8b%26device%3Drtx4090', size: desk, factor: 2 },
  { name: 'desktop-sources', query: serve, view: 'tab=sources', size: laptop, factor: 2 },
  { name: 'desktop-error', query: error, size: laptop, factor: 2 },
];
