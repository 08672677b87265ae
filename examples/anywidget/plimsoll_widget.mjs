// The element as a widget of notebooks: https://anywidget.dev. `source` is the address of plimsoll-element.mjs, `fields` what the element asks.

export default {
  async render({ model, el }) {
    await import(model.get('source'));
    const element = document.createElement('plimsoll-estimate');
    const show = () => {
      for (const { name } of [...element.attributes]) element.removeAttribute(name);
      for (const [name, value] of Object.entries(model.get('fields'))) element.setAttribute(name.replaceAll('_', '-'), String(value));
    };
    show();
    model.on('change:fields', show);
    el.append(element);
    return () => model.off('change:fields', show);
  },
};
