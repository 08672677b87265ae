// How it computes, how accurate it is, how to cite it: method.html.

import { example_query, worked_example } from './worked_example.mjs';
import { shell, text } from './shell.mjs';

export function method_page(plimsoll) {
  const { models, devices, citations } = plimsoll.catalog();
  return shell({
    title: 'Method',
    about: 'How Plimsoll computes the GPU memory of a language model, how accurate it is, and how to cite it.',
    version: plimsoll.version,
    body: `<p>Plimsoll answers one question: how full does a GPU get while a language model is served, fine-tuned or pre-trained? This page says how the answer
is made, with an example, how far to trust it, and how to cite it.</p>

<h2 id="example">An example</h2>
${worked_example(plimsoll).replaceAll(/<(\/?)h2>/g, '<$1h3>')}
<p><a href="index.html?${text(example_query)}">The same in the app</a>, where every number opens further.</p>

<h2 id="method">How it computes</h2>
<ol>
<li><strong>The tensors of the model are counted.</strong> The configuration of a model (one of the ${models.length} of the <a href="models.html">catalogue</a>, or your config.json,
safetensors or GGUF file) gives every weight with its shape, layer by layer.</li>
<li><strong>They are divided over the GPUs.</strong> Tensor, pipeline, context, expert and data parallelism and sharding say which GPU holds which share; each
rank is followed on its own, because the first stage of a pipeline does not hold what the last one does.</li>
<li><strong>The step is walked through, moment by moment.</strong> Loading, forward pass, loss, backward pass, optimizer step; or prompt and decoding. At each
moment stands what is alive then: weights, gradients, optimizer states, activations, buffers, caches. The peak is the largest of these moments on the
fullest rank, never a sum of the largest of each kind: logits and optimizer temporaries do not meet.</li>
<li><strong>The implementation counts.</strong> The same strategy costs other bytes in another framework. A profile says what the framework keeps: which
precision its states have, which buffers it allocates, whether attention and loss are fused.</li>
<li><strong>From tensors to the process.</strong> Four numbers, never mixed: what tensors request, the blocks that are allocated for them, the segments that the
allocator has reserved, and the whole process with the driver's context. The last one is compared with what the device really offers, which is less than its
label says (${devices.length} devices).</li>
<li><strong>Time and money follow.</strong> Operations and bytes moved, set against the rates of the device with stated efficiencies; prices with their dates.</li>
</ol>
<p>Every number opens to its formula, its symbols with values, its source (${citations.length} citations are built in) and how sure it is: <em>counted</em> from shapes,
<em>published</em>, <em>measured</em>, or <em>assumed</em>. What is uncertain has a low and a high end, and the range of the answer says what they add up to.
Bytes are whole numbers throughout. The command line, the desktop app and this page run the same C++ core and give the same bytes.</p>

<h2 id="accuracy">How accurate it is</h2>
<p>The page <a href="accuracy.html">Accuracy</a> sets what was measured or published beside what is predicted, row by row, with the worst rows and with those that are not covered and why.
It is written by the program, not by hand, and <code>plimsoll accuracy FILE</code> does the same with rows of your own. Read it with three things in mind:</p>
<ul>
<li>Tensor memory (weights, caches, optimizer states) is exact or nearly so. Activations depend on the framework's version: within some per cent where the implementation and every flag are known, worse where a row leaves flags out.</li>
<li>Reserved memory depends on the order of allocations, and the process on driver and libraries: these have ranges, and a device that is filled to the last gibibyte is a gamble in practice too.</li>
<li>Times are rooflines with efficiencies fitted to published runs. They are within a quarter of what was published more often than not, and now and then far off: the page names those rows.</li>
</ul>

<h2 id="cite">How to cite</h2>
<p>Name the version and link to the question: everything on the screen is in the link, so a reader can open the very estimate that you cite.</p>
<pre tabindex="0"><code>@software{plimsoll,
  title   = {Plimsoll: the GPU memory that a language model needs},
  version = {${text(plimsoll.version)}},
  note    = {Estimate: ?${text(example_query)}}
}</code></pre>
<p>Where you rely on a single number, cite its source as well: it stands under the number's formula.</p>

<h2 id="privacy">What it does not do</h2>
<p>It sends nothing anywhere: no cookies, no other hosts, model files are read in this browser. After the first visit it works without a network.</p>`,
  });
}
