// What the reference pages have in common: head, policy, the way between them.

const pages = [['fields.html', 'Fields'], ['models.html', 'Models'], ['accuracy.html', 'Accuracy'], ['method.html', 'Method'], ['embedding.html', 'Embedding']];

/** A whole page. `title`: also its name in the navigation; `script`: a module of the site that the page may run, or none. */
export function shell({ title, about, version, script, body }) {
  const scripts = script ? " script-src 'self' 'wasm-unsafe-eval'; connect-src 'self';" : '';
  const links = pages.map(([file, name]) => `<a href="${file}"${name === title ? ' aria-current="page"' : ''}>${name}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self';${scripts} base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${text(about)}">
<title>${text(title)} · Plimsoll</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="style.css">
<link rel="stylesheet" href="reference.css">
<link rel="stylesheet" href="documents.css">
${script ? `<script type="module" src="${text(script)}"></script>\n` : ''}</head>
<body class="reference">
<header class="reference-head"><a class="brand" href="index.html"><img src="favicon.svg" alt="" width="28" height="28">Plimsoll</a>
<nav aria-label="Reference">${links.join(' ')}</nav></header>
<main>
<h1>${text(title)}</h1>
${body}
<footer><p>Version ${text(version)}.</p></footer>
</main>
</body>
</html>
`;
}

/** Text as HTML. */
export function text(value) {
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
