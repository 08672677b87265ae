// Makes elements. Text always goes in as text, so nothing that was typed, pasted or dropped can become markup.

/** h('a', {href: '#x', class: 'plain'}, 'text', child): properties with a null, undefined or false value are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false && child !== ''));
  return element;
}

export const by_id = (id) => document.getElementById(id);
