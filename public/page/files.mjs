// Files that are dropped or pasted: models (a config.json, safetensors and their index, GGUF), prices, devices, exported results. The
// core reads them straight from the reader's disk, of models the header alone; nothing is sent.

/** Calls `on_source(source, name)` with a File that was given, `on_text(text, name)` with a text, `on_fault(message, remedy)` when it can be neither. */
export function watch_for_files({ on_source, on_text, on_fault }) {
  watch_drops(on_source, on_fault);
  window.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const file = event.clipboardData?.files[0];
    if (is_text_field(event.target) || !(file || text.trim() !== '')) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // the drawing would take it for text typed into one of its rows
    if (file) on_source(file, file.name);
    else on_text(text, 'The pasted text');
  }, { capture: true });
}

function watch_drops(on_source, on_fault) {
  const root = document.documentElement;
  window.addEventListener('dragover', (event) => {
    event.preventDefault(); // without this the browser opens the file instead of the page
    root.dataset.dragging = '';
  });
  for (const type of ['dragleave', 'drop', 'dragend']) {
    window.addEventListener(type, (event) => {
      // moving from one element to another also leaves one; leaving the window leads nowhere
      if (type !== 'dragleave' || event.relatedTarget === null) delete root.dataset.dragging;
    });
  }
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files ?? [];
    if (files.length === 1) on_source(files[0], files[0].name);
    else if (files.length > 1) on_fault(`${files.length} files were dropped.`, 'Drop one: the config.json, or the index of the safetensors.');
    else on_fault('What was dropped is not a file.', 'Drop a config.json, a safetensors or a GGUF file, prices, devices or an exported result.');
  });
}

/** Text fields of the page, and the one that the app focuses while text is typed into the drawing: a paste there is theirs. */
function is_text_field(target) {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=file]), textarea, select');
}
