// How to put an estimate into another page: embedding.html. Its examples are files of docs/embedding, which the tests build.

import { readFile } from 'node:fs/promises';

import { shell, text } from './shell.mjs';

const examples = new URL('../../docs/embedding/', import.meta.url);

export async function embedding_page(plimsoll) {
  const file = async (path, name = path.split('/').slice(1).join('/')) => `<p class="file-name">${text(name)}</p>
<pre tabindex="0"><code>${text((await readFile(new URL(path, examples), 'utf8')).trimEnd())}</code></pre>`;
  return shell({
    title: 'Embedding',
    about: 'How to show a Plimsoll estimate in your own page: as an element, as a frame, from npm, in MkDocs, Sphinx, VitePress and Docusaurus.',
    version: plimsoll.version,
    script: 'plimsoll-element.mjs',
    body: `<p>An estimate can stand in any page, computed in the reader's browser. The button <em>Embed</em> of <a href="index.html">the app</a> writes the markup for what is on the screen.</p>

<h2 id="element">As an element</h2>
${await file('html/page.html')}
<p>This is that element:</p>
<plimsoll-estimate model="llama-3-8b" device="rtx4090" batch="4" page="./"><p>Llama 3 8B with four sequences on an RTX 4090 (needs JavaScript).</p></plimsoll-estimate>
<p>One module serves all elements of a page, and is loaded when the first of them comes near the viewport. The element takes the colours of the text around it, light or dark.
Put the files of the npm package, or of this whole site, beside your pages; a server of another origin has to allow it (<code>Access-Control-Allow-Origin</code>).
A Content-Security-Policy needs <code>script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'</code>.</p>
<table class="fields">
<thead><tr><th scope="col">Attribute</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><th scope="row">any field</th><td>All <a href="fields.html">fields</a>, with <code>-</code> for <code>_</code>: <code>model</code>, <code>device</code>, <code>context-tokens</code> … An attribute that is no field is pointed out in the element.</td></tr>
<tr><th scope="row"><code>query</code></th><td>What stands behind the <code>?</code> of a link to the app; attributes of single fields stand above it.</td></tr>
<tr><th scope="row"><code>page</code></th><td>The address of the app, for the link under the estimate; without it there is none.</td></tr>
<tr><th scope="row"><code>view</code></th><td><code>card</code>, or <code>inline</code>: the answer as words within a sentence.</td></tr>
<tr><th scope="row"><code>loading</code></th><td><code>eager</code> loads at once.</td></tr>
</tbody>
</table>
<table class="fields">
<thead><tr><th scope="col">For scripts and styles</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><th scope="row">the text inside the tag</th><td>What is seen without scripts, until the estimate stands there, and where none can be made.</td></tr>
<tr><th scope="row">slots</th><td><code>title</code> and <code>footer</code> take the place of those of the card.</td></tr>
<tr><th scope="row">properties</th><td><code>estimate</code>: the numbers, or null; <code>answer</code>: with issues and words; <code>query</code>.</td></tr>
<tr><th scope="row">events</th><td><code>load</code> once; <code>estimate</code> for each answer, which is its <code>detail</code>; <code>error</code> where there is none, with <code>detail.issues</code>.</td></tr>
<tr><th scope="row"><code>::part()</code></th><td><code>card</code>, <code>title</code>, <code>question</code>, <code>headline</code>, <code>verdict</code>, <code>hull</code>, <code>segment</code>, <code>load-line</code>, <code>legend</code>, <code>detail</code>, <code>footer</code>, <code>link</code>, <code>issues</code></td></tr>
</tbody>
</table>

<h2 id="frame">As a frame</h2>
<p>Where a page may not run scripts of others, and where markup is filtered except for frames. The query is that of the app; <code>#dark</code> or <code>#light</code> at the end chooses a look.</p>
${await file('html/frame.html')}

<h2 id="npm">From npm</h2>
<p>The package has the estimator (<code>plimsoll</code>) and the element (<code>plimsoll/element</code>), as ES modules with types; it runs in pages, workers and Node 18 or newer.</p>
${await file('npm/main.mjs')}
<p>Vite's development server rewrites packages before it serves them, and would lose the WebAssembly file that lies beside the module, so leave this package out. A worker that uses it is a module:</p>
${await file('npm/vite.config.mjs')}

<h2 id="mkdocs">MkDocs</h2>
<p>Markdown passes HTML through. Put the files of the site into <code>docs/plimsoll/</code> (those of the package are enough for the element); MkDocs copies them. From MkDocs 1.5 on, <code>extra_javascript</code> takes the module for all pages; a <code>script</code> in the page works in every version.</p>
${await file('mkdocs/mkdocs.yml')}
${await file('mkdocs/docs/index.md')}

<h2 id="sphinx">Sphinx</h2>
<p>Put the files of the site into <code>_static/plimsoll/</code>; <code>html_js_files</code> names the module, and <code>raw</code> passes the element through.</p>
${await file('sphinx/conf.py')}
${await file('sphinx/index.rst')}

<h2 id="vitepress">VitePress</h2>
<p>Install the package, tell Vue that the element is not one of its components, and import the module in the theme. On the server the import does nothing.</p>
${await file('vitepress/.vitepress/config.mjs')}
${await file('vitepress/.vitepress/theme/index.mjs')}
${await file('vitepress/index.md')}

<h2 id="docusaurus">Docusaurus</h2>
<p>Install the package and put this component into <code>src/components/</code>. Pages of MDX import it and say fields as properties, such as <code>&lt;Estimate model="qwen3-32b" device="rtx4090" /&gt;</code>.
It asks for the module in the reader's browser alone: pages are also made on a server, which has no elements.</p>
${await file('../../examples/docusaurus/Estimate.jsx', 'src/components/Estimate.jsx')}`,
  });
}
