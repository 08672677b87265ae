// Where nobody has asked for anything: three doors, and questions that people really have. It lies over an example, which is said.

import { by_id, h } from './element.mjs';

const doors = [
  { title: 'Will it run on my card?', line: 'Qwen3 32B on RTX 4090, 32k', about: 'a model, a card, how long the texts are' },
  { title: 'What do I need to train this?', line: 'QLoRA Llama 3.3 70B on 2 × RTX A6000', about: 'a model, how it is tuned, your GPUs' },
  { title: 'Plan and price a cluster', line: 'pre-train Llama 3 8B on 64 H100 SXM 80GB', about: 'a model, GPUs in all; layouts, time and money', plan: 64 },
];
const examples = ['DeepSeek V3 on 8 × H200', 'gpt-oss-20b on RTX 4080', 'LoRA Qwen2.5 7B on RTX 3090', 'vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 16384'];

/** `on_ask(text, view)` asks what a door or an example says; `on_line(text)` puts it into the line, to be changed before it is asked. */
export function open_start({ on_ask, on_line }) {
  const place = by_id('start');
  const close = () => {
    place.hidden = true;
    place.replaceChildren();
  };
  const door = ({ title, line, about, plan }) => h('button', {
    type: 'button', class: 'door', click: () => (plan ? on_ask(line, `tab=plan&objective=time&gpus=${plan}`) : on_line(line)),
  }, h('strong', {}, title), h('span', {}, about), h('em', {}, line));
  place.replaceChildren(
    h('h2', {}, 'Ask in a line: a model, a GPU, a command, a configuration'),
    h('p', { class: 'quiet' }, 'Type above and press Enter, or paste anything. Nothing leaves this page.'),
    h('div', { class: 'doors' }, ...doors.map(door)),
    h('div', { class: 'choices' }, h('p', {}, 'Or try'), h('div', { class: 'buttons' }, ...examples.map((text) => h('button', { type: 'button', click: () => on_ask(text) }, text)))),
    h('button', { type: 'button', class: 'plain', click: close }, 'Look at the example below'));
  place.hidden = false;
  return { close };
}
