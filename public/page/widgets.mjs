// The accessibility layer: the widgets that the drawing consists of, as transparent elements over it. Screen readers read and press
// them, and tools that look for roles and names find them; for everybody else the mouse and the fingers go through to the drawing.
//
// The drawing tells of its widgets when one of them has changed, and never otherwise. Each pane is a window of the drawing that
// scrolls: its elements stand where they stand in what it scrolls, so that scrolling moves none of them.

import { h } from './element.mjs';
import { pass_pointer } from './pointer.mjs';

const groups = { tab: 'tablist', option: 'listbox', menuitem: 'menu', treeitem: 'tree', radio: 'radiogroup', button: 'group' };
const keys_of_lists = ['Enter', 'Escape', 'ArrowUp', 'ArrowDown'];

/** `app()` gives the drawing's handle, or null before it runs. `show(text, zoom)` takes what the drawing tells. */
export function open_widgets({ canvas, app }) {
  const root = h('div', { id: 'widgets', class: 'widgets', role: 'region', 'aria-label': 'Widgets of the drawing' });
  canvas.after(root);
  pass_pointer({ canvas, root, settle: tell_scrolling });
  const panes = new Map(); // id -> {element, inner, told}
  const widgets = new Map(); // id -> {element, told}
  let showing = false, next = null;

  /** What is told while widgets are being shown, because one of them lost the keyboard, is shown after them. */
  function show(text, zoom) {
    next = { text, zoom };
    if (showing) return;
    showing = true;
    try {
      while (next) {
        const told = next;
        next = null;
        show_layer(told.text, told.zoom);
      }
    } finally {
      showing = false;
    }
  }

  function show_layer(text, zoom) {
    const layer = JSON.parse(text);
    const had_focus = root.contains(document.activeElement);
    root.style.transform = zoom === 1 ? '' : `scale(${zoom})`;
    keep_only(panes, layer.panes);
    keep_only(widgets, layer.widgets);
    for (const pane of layer.panes) place_pane(pane);
    put_in_order(layer.widgets);
    set(canvas, 'aria-activedescendant', layer.focused && widgets.has(layer.focused) ? element_id(layer.focused) : null);
    if (had_focus && !root.contains(document.activeElement)) canvas.focus({ preventScroll: true });
  }

  function place_pane(pane) {
    let known = panes.get(pane.id);
    if (!known) {
      const inner = h('div', { class: 'pane-inner' });
      const element = h('div', { class: 'pane', scroll: tell_scrolling }, inner);
      known = { element, inner, told: 0 };
      panes.set(pane.id, known);
      root.append(element);
    }
    place(known.element, pane);
    known.element.style.zIndex = pane.above ? '1' : '';
    known.inner.style.height = `${pane.height}px`;
    if (known.element.scrollTop !== pane.scroll) known.element.scrollTop = pane.scroll;
    known.told = known.element.scrollTop;
  }

  /** A browser scrolls to an element that it was asked to show: then the drawing scrolls there too. */
  function tell_scrolling() {
    root.scrollTop = root.scrollLeft = canvas.parentElement.scrollTop = canvas.parentElement.scrollLeft = 0;
    for (const [id, pane] of panes) {
      if (pane.element.scrollTop === pane.told) continue;
      pane.told = pane.element.scrollTop;
      app()?.scroll_pane(id, pane.told);
    }
  }

  /** Reading order, with neighbours of a kind in the element that their role asks for. */
  function put_in_order(list) {
    const order = new Map([...panes.values()].map(({ inner }) => [inner, []]));
    let run = null;
    for (const widget of list) {
      const inner = panes.get(widget.pane).inner;
      const kind = widget.group && groups[widget.role];
      const key = kind ? `${widget.pane} ${kind} ${widget.group}` : '';
      if (!kind) {
        run = null;
        order.get(inner).push(element_of(widget));
      } else {
        if (run?.key !== key) {
          run = { key, element: group_element(key, kind, widget.group, order.get(inner)), members: [] };
          order.get(inner).push(run.element);
          order.set(run.element, run.members);
        }
        run.members.push(element_of(widget));
      }
    }
    for (const [parent, children] of order) arrange(parent, children);
  }

  /** The group of that name that is there already and not yet in use, or a new one. */
  function group_element(key, kind, name, used) {
    const label = name[0].toUpperCase() + name.slice(1);
    const there = [...root.querySelectorAll(`[role=${kind}]`)].find((one) => one.dataset.key === key && !used.includes(one));
    return there ?? h('div', { role: kind, 'aria-label': label, 'data-key': key, id: kind === 'listbox' ? 'widgets-list' : null });
  }

  function element_of(widget) {
    let known = widgets.get(widget.id);
    const tag = widget.role !== 'textbox' ? 'div' : widget.multiline ? 'textarea' : 'input';
    if (!known || known.element.localName !== tag || known.role !== widget.role) {
      known = { element: make(tag, widget), role: widget.role, told: '' };
      widgets.set(widget.id, known);
    }
    const told = JSON.stringify(widget);
    if (told !== known.told) describe(known.element, widget);
    known.told = told;
    return known.element;
  }

  function make(tag, { id, role }) {
    const element = h(tag, { id: element_id(id), class: 'widget', tabindex: '-1', role: tag === 'div' ? role : null, autocomplete: tag === 'div' ? null : 'off' });
    if (tag === 'div') {
      element.addEventListener('click', (event) => event.handled || app()?.press_widget(id));
      element.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        app()?.press_widget(id);
      });
      element.addEventListener('focus', () => app()?.focus_widget(id));
    } else {
      element.addEventListener('input', () => app()?.fill_widget(id, element.value));
      element.addEventListener('blur', () => app()?.leave_widget(id));
      element.addEventListener('keydown', (event) => {
        if (!keys_of_lists.includes(event.key) || (tag === 'textarea' && event.key !== 'Escape')) return;
        event.preventDefault();
        app()?.press_key(event.key);
      });
    }
    return element;
  }

  return { show };
}

const element_id = (id) => `widget-${id}`;

function describe(element, widget) {
  place(element, widget);
  const flag = (value) => (value === undefined ? null : String(value));
  set(element, 'aria-label', widget.name || null);
  set(element, 'aria-description', widget.about || null);
  set(element, 'aria-checked', flag(widget.checked));
  set(element, 'aria-selected', flag(widget.selected));
  set(element, 'aria-expanded', flag(widget.expanded));
  set(element, 'aria-invalid', widget.invalid ? 'true' : null);
  set(element, 'aria-level', widget.level ? String(widget.level) : null);
  if (widget.role === 'combobox') {
    set(element, 'aria-haspopup', 'listbox');
    set(element, 'aria-controls', widget.expanded ? 'widgets-list' : null);
    if (element.textContent !== (widget.value ?? '')) element.textContent = widget.value ?? '';
  }
  if (widget.role === 'textbox') {
    set(element, 'inputmode', widget.number ? 'numeric' : null);
    if (element !== document.activeElement && element.value !== (widget.value ?? '')) element.value = widget.value ?? '';
  }
}

function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function place(element, { x, y, w, h: height }) {
  const { style } = element;
  style.left = `${x}px`;
  style.top = `${y}px`;
  style.width = `${w}px`;
  style.height = `${height}px`;
}

function keep_only(known, list) {
  const ids = new Set(list.map(({ id }) => id));
  for (const [id, { element }] of known) {
    if (ids.has(id)) continue;
    known.delete(id);
    take_away(element);
  }
}

/** Whoever types in it leaves it first: the drawing hears of that, and may show other widgets before this one is gone. */
function take_away(element) {
  if (element.contains(document.activeElement)) document.activeElement.blur();
  element.remove();
}

/** Makes `children` the children of `parent`, moving as few as possible: a move takes the focus away. */
function arrange(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) take_away(child);
  let at = parent.firstElementChild;
  for (const child of children) {
    if (child === at) at = at.nextElementSibling;
    else parent.insertBefore(child, at);
  }
}
