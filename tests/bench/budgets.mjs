// What may be how large and how slow. `goal` is what the design asks for; `limit` what tests/web/sizes.test.mjs holds us to today, where the
// goal is not reached: a limit only ever goes down, but for two times: readers of scripts and logs, refusals, names, kernels and
// questions in words had come before anybody weighed them, and the cut in three took back a part of it (core 627 kB before it). Readers of
// files stood in the second parts, until what writes a file and reads it again went to the third: `files` holds them now, for the core and
// for the page. A second time some went up where people got more (26 models, graphs of engines, plans as a table with a sheet, a load that
// is stated on the screen), and those of parts with room went down. A third time `files` and `app` went up by 1 kB and all
// that is loaded by 2.5, for readers of loops and of Megatron-LM's optimizers, for steps that wait for their host and for words of other
// tools; three others went down. A fourth time, by 4.5 kB of `core`, 4 of `app` and 3 of `drawing`, for experts in the host's memory (their bytes, their
// time, copies of them for a prompt) and for questions without quotes, and by 1.5 of `files` for the types
// of ik_llama.cpp. A fifth time, `files` by 8 kB for both modules together: tensors in the formats of their own file, files of one model
// summed, models by the name that a file states; `app`, `drawing` and all that is loaded went down by 8 kB. A sixth time, `files` by 9.5 kB for both
// modules together: patterns of tensors' names, modules that run again or leave the device, sizes in engines' units; `core`, `rest`, `drawing` and all
// that is loaded went down by 9 kB. A seventh time, `rest` by 12 kB and
// `drawing` by 3.6 for a server's load, which pages and agents ask for now, `files` by 2.3 for the GPUs that manifests of others name, `page` by 1.1 for
// models that the reader fetches from the hub, and all that is loaded by 5.2. An eighth time, `core` by 38.5 kB, `rest` by 1.9,
// `files` by 27, `app` by 28, `drawing` by 9 and all that is loaded by 38, for profiles of eleven more frameworks, steps of reinforcement learning by their
// phases, towers that see and hear, servers that divide prompts from answers, cache on drives, and the registries of models of other programs. A ninth time,
// `core` by 3.5 kB and `drawing` by 3.1, for thirteen models, activations that leave the device as each framework does it, memory in GB and a report among
// the exports; `page` went down by 22 kB and all that is loaded by 20, since the page's modules come in one file. A tenth
// time, `core` by .6 kB, `app` by 2.9 and all that is loaded by 1.2, for modules that train whole beside adapters; `rest`, `files` and `drawing` went down by 2.3.
// Then `rest`, `drawing` and all that is loaded went down by 21 kB each, when streams and locales moved to the readers of files and TOML to a reader that
// carries fewer words. An eleventh time, with that, `core` by 6 kB, `app` by 4.9 and `files` by .4, for 34 models with their towers and sources.
// A twelfth time, `files` by 18 kB for both modules together, `app` by 1.4, `drawing` by .8 and all that is loaded by 3.6, for verl's Megatron engine and supervised
// tuning, OpenRLHF's reinforcement learning and its newer options, pages of documentation, and what waits on the host while answers are generated.
// A thirteenth time, the page's module was cut once more: `app`, what comes before the first estimate, went down from 637 to 361 kB, and `answers`, which holds the
// rest of it and its script, is new. Cut in two they take 35 kB more than in one, which all that is loaded shows, and `files` went up by 13, for
// constants that are told apart better now: those of readers came with the first part.
// A fourteenth time, 26 kB of `app` went over to `answers`: sources of devices, what was published about models, help of fields, the keys of what is a table
// now. All that is loaded weighs what it did.
// A fifteenth time, `files` by 21 kB for both modules together, for MaxText's commands, torchtune's recipes that learn from answers, and llama.cpp's patterns that
// name GPUs; `core` by 3 kB, `answers` by 3.5, `drawing` by 2.5 and all that is loaded by 7, for kernels with twice as many numbers and two more optimizers.
// A sixteenth time, `core` by 6.5 kB, `rest` and `app` by .4 and .8, `answers` by 4.6, `drawing` by .9 and all that is loaded by 6.1, for times of kernels in every
// estimate of an engine that has them, drafts and stages under load, llama.cpp's server, and what changes places around the answers of a step of learning; `files` by
// 14 for both modules together, for what 1,144 published files had that readers did not know.
// A seventeenth time, `files` by 20 kB for both modules together, for notebooks, Dockerfiles, traces of requests and what 1,132 more published files had that
// readers did not know, and `answers` by 1; with citations that are texts of the program's own and one walk over terms, `core`, `rest`, `app`, `drawing` and all
// that is loaded went down by 8.8, 4.3, 9.3, 2.4 and 10.9.
// An eighteenth time, `core` by 7.7 kB, `rest` by 1, `files` by 11.5 for both modules together, `app` by 2.5, `answers` by 5.5, `drawing` by 1.8, `page` by .1 and all that is
// loaded by 9.5, for conversations under load, 36 prices of APIs, steps ahead and what is dispatched once in reinforcement learning and training, questions in a
// line that are answered only where every word is understood, and what Unsloth's notebooks and 670 more published files had.
// A nineteenth time, `core` by 6.7 kB, `rest` by 4.5, `files` by 22.8 for both modules together, `app` by 2, `answers` by 4.5, `drawing` by .3 and all that is loaded by 7.7,
// for ms-swift's commands and files, what jobs lose besides steps, dispatch and overlap of experts in plans, and lines that say more; each part is made small
// once more when it stands alone, which took back 2 to 12 kB of each.
// A twentieth time all went down, by 24.4 kB of `core`, 21.2 of `rest`, 49.4 of `files`, 30.4 of `app`, 34 of `drawing` and 56.3 of all that is loaded: no code puts in
// order what an exception leaves, one function sorts for all types, and a function that is called from one place is told apart until the parts are cut.
// `answers` went up by 8.8, which came from `app`. A name that changes moves the order of functions, and with it some hundred bytes: limits stand a
// thousandth or two above what was measured, in a fresh clone.
// A twenty-first time `app` went down by 29 kB, `drawing` by 148, `rest` by 37, `core` by 3 and all that is loaded by 144: the tabs beside the first, with their searches, come
// when one of them is opened (`tabs`), what writes a file for others with the readers, configs and profiles with the question that asks for them, and what leads to
// nothing but an issue stands apart. `files`, which only who reads or writes a file asks for, went up by 77 kB for both modules together, and `answers` by 33, which came from `app`.
// A twenty-second time `app` went down by 46 kB, all that is loaded by 60, `core` by 66.5 and `answers` by 16: the catalogue's configs are read while the program is built, what reads
// configs comes with the readers of files, and branches that the first part's questions never take come later (scripts/profile). `files` went up by 164 kB for both modules together, for who
// describes a model, changes one, or reads or writes a file, `rest` by 33 and `tabs` by 28, where what was published about models and devices is now, and `page` by .4, which waits for readers.
// A twenty-third time `app` went down by 26.3 kB, `drawing` by 16.6, `rest` by 6.1 and `tabs` by 1.1: texts of formulas, labels of fields and other names of models come with the
// answers, JSON that is compiled in is read while building, and ImGui brings no typeface of its own. `answers` went up by 44, most of which came from `app` and `drawing`, and
// `core` by 5.2, for times of training by kernel; all that is loaded weighs what it did.
// A twenty-fourth time `answers` went down by 134 kB, `drawing` by 86, `core` by 5, `app` by 2 and all that is loaded by 221: what hardly anybody needs who only looks comes with the
// first sign of a reader, or with a question that needs it (`more`, scripts/seldom.mjs), and places of the module's table are filled by the part that has the function. `rest` went up
// by 5.6 and `tabs` by 1.4, for plans with modules that run again and chunks of unequal size, `files` by 2.5 for both modules together, and `page` by .6.
// A twenty-fifth time `app` went up by 1.5 kB, `answers` by 17, `tabs` by 1.8 and all that is loaded by 19, and `more` went down by 19: an estimate adds up its terms in
// another way, and functions with new names come early until scripts/seldom.mjs has looked at all questions again.
// A twenty-sixth time `core` went up by 3.9 kB and `more` by 13.4, while `answers` went down by 10.8 and all that is loaded by 10.6: formulas of memory that most estimates need are
// compiled for speed, and scripts/profile has looked at all questions again. Then all went down, `core` by 5.7 kB, `rest` by 2.8, `files` by 13.5, `app` by 1.8, `answers` by 2.6, `tabs` by
// 3.2 and all that is loaded by 6: in a part no function moves to its one caller that is large (cmake/SplitModule.cmake).
// A twenty-seventh time `app` and `rest` went up by .2 kB each, for plans that add up once what no sharding changes, while `page` went down by .5, whose style sheet is packed, and the rest by .2 to .7.
// A twenty-eighth time `answers` went up by 3.1 kB, `rest` by 1.3, `tabs` by .9, `drawing` by .2 and all that is loaded by 3.3, for searches of a value that go on step by
// step; `core` went down by .9, `more` by .5 and `app` by .1.
// KB is 1000 bytes, as in download sizes; sizes are those of Brotli at its best.

export const times = {
  estimate_ns: { llama_3_8b_inference: 300, llama_3_8b_finetune_8_gpus: 600, llama_3_1_405b_3d: 1000, gemma_2_9b_finetune: 1000 },
  wasm_ratio: 2, frame_ns: 2_000_000, slice_ns: 10_000_000,
  footprint_ns: { llama_3_8b_finetune_8_gpus: 1_000_000, llama_3_1_405b_3d: 8_000_000 },
};

// The core has grown far beyond the scope that its goal was set for: readers of ten configuration formats, planner, prices, engines. What
// no estimate needs is a part of its own, which a page asks for when it needs it.
export const sizes = [
  { id: 'core', what: 'core module, with the catalogue: what an estimate needs', goal: 150_000, limit: 537_300 },
  { id: 'rest', what: 'its second part: searches', goal: 200_000, limit: 125_000 },
  { id: 'files', what: 'readers and writers of files, and of configs, of the core and of the page', goal: 400_000, limit: 966_200 },
  { id: 'app', what: 'module of the page, up to its first estimate', goal: 300_000, limit: 198_200 },
  { id: 'answers', what: 'its second part, and its script: what most other answers need', goal: 300_000, limit: 300_000 },
  { id: 'drawing', what: 'its third part: drawing, with the first tab', goal: 300_000, limit: 144_100 },
  { id: 'more', what: 'its part of what somebody who only looks seldom needs', goal: 300_000, limit: 240_200 },
  { id: 'tabs', what: 'its part for where another tab is opened: those, with searches', goal: 150_000, limit: 149_900 },
  { id: 'fonts', what: 'typefaces, in the module of the page', goal: 60_000, limit: 30_600 },
  { id: 'page', what: 'page without the module', goal: 60_000, limit: 34_800 },
  { id: 'loaded', what: 'everything that the page loads', goal: 450_000, limit: 676_900 },
];
