// What stands on the screen, by the names that readers know.

const of_role = (role) => (name, group) => ({ role, name, group });

export const [button, link, tab, box, list, option, radio, menuitem, row] =
  ['button', 'link', 'tab', 'textbox', 'combobox', 'option', 'radio', 'menuitem', 'treeitem'].map(of_role);

/** A category or its parts, where it stands. */
export const in_bar = (name) => button(`${name}:`, 'The bar');
export const in_treemap = (name) => button(`${name}:`, 'Treemap');
export const in_tree = (name) => row(`${name}:`, 'Breakdown');

/** An element of the page around the drawing. */
export const element = (css) => ({ css });
