// Files that lie beside the page, wherever this module ends up: the site has all modules of the page in one.

export const file_of_site = (name) => new URL(name, document.baseURI);
