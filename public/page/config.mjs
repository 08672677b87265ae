// A model's config.json, dropped, pasted or chosen: read by the core, never sent.

// The core refuses larger files too; this one keeps the page from reading gigabytes of weights that were dropped by mistake.
const most_bytes = 4 * 1024 * 1024;

/** Calls `on_config(text, name)` for a file or text that was given, `on_fault(message, remedy)` when it cannot be one. */
export function watch_for_configs({ on_config, on_fault }) {
  const read = async (file) => {
    if (file.size > most_bytes) {
      on_fault(`${file.name} is too large for a config.`, 'Drop the config.json that lies beside the weights.');
      return;
    }
    try {
      on_config(await file.text(), file.name);
    } catch {
      on_fault(`${file.name} cannot be read.`, 'Drop one file, not a folder.');
    }
  };
  watch_drops(read, on_fault);
  window.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const file = event.clipboardData?.files[0];
    if (is_text_field(event.target) || !(file || looks_like_json(text))) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // the drawing would take it for text typed into one of its rows
    if (file) read(file);
    else on_config(text, 'The pasted text');
  }, { capture: true });
  return { read };
}

function watch_drops(read, on_fault) {
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
    const file = event.dataTransfer?.files[0];
    if (file) read(file);
    else on_fault('What was dropped is not a file.', 'Drop a config.json.');
  });
}

const looks_like_json = (text) => text.trimStart().startsWith('{');

/** Text fields of the page, and the one that the app focuses while text is typed into the drawing: a paste there is theirs. */
function is_text_field(target) {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=file]), textarea, select');
}
