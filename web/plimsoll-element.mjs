// <plimsoll-estimate>: one estimate in a page of documentation. Importing this module defines the element; however many of them a
// page has, the estimator is loaded once, and not before one of them comes near the viewport.
//
//   <plimsoll-estimate model="llama-3-8b" device="rtx4090" batch="4">Fits, with 3.21 GiB to spare.</plimsoll-estimate>
//
// What it does not do: it computes nothing, asks no host but its own, and leaves the text inside the tag alone, which is what readers
// see until there is an estimate. Documentation and types: plimsoll-element.d.ts.

import { load } from './plimsoll.mjs';
import { reflect, stated_by } from './plimsoll-element-attributes.mjs';
import { open_view } from './plimsoll-element-view.mjs';

const near_viewport = '600px 0px'; // about a screen ahead, so that the estimate stands there when the reader arrives

// On a server, where pages are made before a browser sees them, there is nothing to extend and nothing to define.
const Base = globalThis.HTMLElement ?? class {};

export class PlimsollEstimate extends Base {
  #view = null;
  #core = null;
  #answer = null;
  #stated = null; // the last that was asked for
  #waiting = false;
  #is_loaded = false;
  #attributes = null;

  /** The whole answer of estimate(), with its issues; null until there is one. */
  get answer() { return this.#answer; }
  /** The numbers; null until there are any, and while the attributes have errors. */
  get estimate() { return this.#answer?.estimate ?? null; }
  /** The shortest query that asks the same, for a link to the page; "" until there is an answer. */
  get query() { return this.#answer?.query ?? ''; }

  connectedCallback() {
    this.#view ??= open_view(this);
    this.#attributes ??= new MutationObserver(() => this.#ask_soon());
    this.#attributes.observe(this, { attributes: true });
    if (this.#core) this.#ask_soon();
    else if (this.getAttribute('loading') === 'eager' || !viewport) this.start();
    else viewport.observe(this);
  }

  disconnectedCallback() {
    this.#attributes.disconnect();
    viewport?.unobserve(this);
  }

  /** Loads the estimator now, wherever the element is. */
  async start() {
    viewport?.unobserve(this);
    try {
      this.#core = await load({ only: 'estimates' });
    } catch (reason) {
      addEventListener('online', () => this.isConnected && this.start(), { once: true });
      this.#tell('error', { issues: [], reason });
      return;
    }
    await this.#ask();
  }

  /** However many attributes change at once, one question follows. */
  #ask_soon() {
    if (!this.#core || this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      this.#ask();
    });
  }

  async #ask() {
    if (!this.isConnected) return undefined;
    reflect(this, this.#core);
    const stated = this.#stated = stated_by(this, this.#core);
    try {
      if (!this.#core.is_ready_for(stated)) await this.#core.ready_for(stated);
    } catch (reason) {
      addEventListener('online', () => this.#ask_soon(), { once: true });
      return this.#tell('error', { issues: [], reason });
    }
    if (!this.isConnected || stated !== this.#stated) return undefined; // what has been asked since comes by itself
    this.#answer = this.#core.estimate(stated);
    this.#view.show(this.#answer, this.#core);
    if (!this.#answer.ok) return this.#tell('error', { issues: this.#answer.issues, reason: null });
    this.#tell('estimate', this.#answer);
    if (this.#is_loaded) return undefined;
    this.#is_loaded = true;
    return this.dispatchEvent(new Event('load')); // as of an image: it does not bubble
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: name === 'estimate', composed: true }));
  }
}

const viewport = globalThis.IntersectionObserver && new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) target.start();
}, { rootMargin: near_viewport });

// Two copies of this module on one page: the first one serves all elements.
if (globalThis.customElements && !customElements.get('plimsoll-estimate')) customElements.define('plimsoll-estimate', PlimsollEstimate);
