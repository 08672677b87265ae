// The look of <plimsoll-estimate>. A constructed style sheet, because a page whose policy forbids inline styles still allows it.
//
// Pages say in many ways whether they are light or dark, but all of them colour their text. So every colour here is a shade of
// currentColor, and what has a meaning of its own is mixed with it: darker on light pages, lighter on dark ones.

const css = `
:host { display: block; --mono-digits: tabular-nums; }
:host([hidden]) { display: none; }
:host([view="inline"]), :host([view="inline"]) :is(.drawn, .fallback) { display: inline; }
[hidden] { display: none !important; }
* { box-sizing: border-box; }
p, ul, figure { margin: 0; padding: 0; }
.drawn {
  --line: color-mix(in srgb, currentColor 18%, transparent); --quiet: color-mix(in srgb, currentColor 78%, transparent);
  --fits: color-mix(in srgb, currentColor 45%, #12a150); --over: color-mix(in srgb, currentColor 40%, #e0401f); --tight: color-mix(in srgb, currentColor 40%, #c98a00);
  --accent: color-mix(in srgb, currentColor 45%, #1283b4); --load-line: #d9482b;
}
[part="card"] { padding: 14px 16px; border: 1px solid var(--line); border-radius: 10px; font-size: 14px; line-height: 1.45; }
[part="title"], ::slotted([slot="title"]) { font-weight: 600; }
[part="question"], [part="detail"], [part="footer"], ::slotted([slot="footer"]) { font-size: 12px; color: var(--quiet); }
[part="headline"] { font-size: 18px; line-height: 1.3; margin-block: 8px 2px; }
:host([view="inline"]) [part="headline"] { font-size: inherit; line-height: inherit; }
.fits { color: var(--fits); }
.tight { color: var(--tight); }
.over { color: var(--over); }
[part="footer"] { margin-top: 6px; }
[part="link"] { color: var(--accent); text-underline-offset: 2px; }
[part="link"]:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }

/* Widths are proportions of amounts; 0.94 leaves room to the right of the line. */
[part="hull"] { --top: max(var(--peak), var(--process)); --scale: max(var(--usable), var(--top)) / 0.94; margin-block: 10px; }
.bar { position: relative; display: flex; block-size: 24px; }
[part="segment"] { flex: none; inline-size: calc(100% * var(--amount) / (var(--scale))); background: var(--colour, var(--quiet)); }
[part="segment"].allowance { inline-size: max(0px, calc(100% * (var(--top) - var(--peak)) / (var(--scale)))); border: 1px solid var(--line); background: none; }
[part="segment"]:first-child { border-radius: 8px 0 0 8px; }
.bar::after {
  content: ""; position: absolute; inset-block: 0; inset-inline-start: calc(100% * var(--usable) / (var(--scale)));
  inline-size: max(0px, calc(100% * (var(--top) - var(--usable)) / (var(--scale))));
  background: repeating-linear-gradient(135deg, var(--load-line) 0 4px, transparent 4px 8px);
}
[part="load-line"] { position: absolute; inset-block: -4px; inset-inline-start: calc(100% * var(--usable) / (var(--scale))); border-left: 2.5px solid var(--load-line); z-index: 1; }
.usable { inline-size: max(140px, calc(100% * var(--usable) / (var(--scale)))); max-inline-size: 100%; margin-top: 6px; text-align: right; font-size: 12px; color: var(--quiet); }
[part="legend"] { display: flex; flex-wrap: wrap; gap: 2px 16px; margin-block: 0 8px; list-style: none; font-size: 13px; }
.swatch { display: inline-block; inline-size: 10px; block-size: 10px; margin-right: 6px; border-radius: 3px; background: var(--colour, currentColor); }
.amount { font-variant-numeric: var(--mono-digits); font-weight: 600; white-space: nowrap; }
[part="issues"] { margin-top: 8px; padding: 8px 12px; border-left: 3px solid var(--load-line); list-style: none; font-size: 13px; overflow-wrap: anywhere; }

/* Colours belong to component ids and are the same in the app. */
[data-id^="memory.weights"] { --colour: #4c78a8; }
[data-id^="memory.gradients"] { --colour: #72b7b2; }
[data-id^="memory.optimizer"] { --colour: #b279a2; }
[data-id^="memory.activations"] { --colour: #f2b701; }
[data-id^="memory.loss"] { --colour: #e07b39; }
[data-id^="memory.buffers"] { --colour: #8fa3ad; }
[data-id^="memory.kv_cache"] { --colour: #8ccbef; }
[data-id^="memory.workspace"] { --colour: #d3c79c; }
[data-id^="memory.runtime"] { --colour: #5b6770; }
[data-id^="memory.models"] { --colour: #9c6b4f; }

/* What is said by colour keeps it where a reader's system chooses colours, and on paper. */
[part="segment"], .bar::after, [part="load-line"], .swatch { forced-color-adjust: none; }
@media print {
  [part="segment"], .bar::after, .swatch { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

let sheet = null;

/** One sheet, which all elements of the page share. */
export function style_of() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
