// Where nobody has asked for anything: three doors, and questions that people really have. It lies over an example, which is said.

import { by_id, h } from './element.mjs';

const doors_of = (card) => [
  { title: 'Will it run on my card?', line: `Qwen3 32B on ${card || 'RTX 4090'}, 32k`, about: card ? 'this browser draws with such a card' : 'a model, a card, how long the texts are' },
  { title: 'What do I need to train this?', line: 'QLoRA Llama 3.3 70B on 2 × RTX A6000', about: 'a model, how it is tuned, your GPUs' },
  { title: 'Plan and price a cluster', line: 'pre-train Llama 3 8B on 64 H100 SXM 80GB', about: 'a model, GPUs in all; layouts, time and money', plan: 64 },
];
const examples = ['DeepSeek V3 on 8 × H200', 'gpt-oss-20b on RTX 4080', 'LoRA Qwen2.5 7B on RTX 3090', 'vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 16384'];

/**
 * `on_ask(text, view)` asks what a door or an example says; `on_line(text)` puts it into the line, to be changed before it is asked; `recent`:
 * [{query, about}] that were asked before, which `on_query(query)` asks again. The first door names the reader's own card once `name_card(card)` is called.
 */
export function open_start({ recent, on_ask, on_line, on_query }) {
  const place = by_id('start');
  const close = () => {
    place.hidden = true;
    place.replaceChildren();
  };
  let doors = doors_of('');
  const words = ({ title, line, about }) => [h('strong', {}, title), h('span', {}, about), h('em', {}, line)];
  const buttons = doors.map((door, i) => h('button', {
    type: 'button', class: 'door', click: () => (door.plan ? on_ask(doors[i].line, `tab=plan&objective=time&gpus=${door.plan}`) : on_line(doors[i].line)),
  }, ...words(door)));
  place.replaceChildren(...[
    h('h2', {}, 'Ask in a line: a model, a GPU, a command, a configuration'),
    h('p', { class: 'quiet' }, 'Type above and press Enter, or paste anything. Nothing leaves this page.'),
    h('div', { class: 'doors' }, ...buttons),
    recent.length > 0 && h('div', { class: 'choices' }, h('p', {}, 'Asked before'), h('div', { class: 'buttons' }, ...recent.map(({ query, about }) => h('button', { type: 'button', click: () => on_query(query) }, about)))),
    h('div', { class: 'choices' }, h('p', {}, 'Or try'), h('div', { class: 'buttons' }, ...examples.map((text) => h('button', { type: 'button', click: () => on_ask(text) }, text)))),
    h('button', { type: 'button', class: 'plain', click: close }, 'Look at the example below'),
  ].filter(Boolean));
  place.hidden = false;
  return {
    close,
    name_card(card) {
      doors = doors_of(card);
      buttons[0].replaceChildren(...words(doors[0]));
    },
  };
}
