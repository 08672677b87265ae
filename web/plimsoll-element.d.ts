// <plimsoll-estimate>, which importing 'plimsoll/element' defines. On a server the import does nothing.
//
// Attributes: every field of a scenario, with "-" for "_" (model="llama-3-8b" context-tokens="8192"),
// each of which is a property of the element too (element.context_tokens = 8192), and
//   query    the query of a link to the page; attributes of single fields stand above it
//   page     address of the page, for the link "Open in Plimsoll"; without it there is no link
//   view     "card" (the default) or "inline", a sentence within a text
//   loading  "eager" to load at once; otherwise the estimator is loaded when an element comes near the viewport
// Slots: the text inside the tag, seen until there is an estimate; "title" and "footer" take the place of those of the card.
// CSS parts: card, title, question, headline, verdict, hull, segment, load-line, legend, detail, footer, link, issues.

import type { Estimate, EstimateAnswer, Issue } from './plimsoll.d.ts';

export class PlimsollEstimate extends HTMLElement {
  /** The whole answer with its issues; null until there is one. */
  readonly answer: EstimateAnswer | null;
  /** The numbers; null until there are any, and while the attributes have errors. */
  readonly estimate: Estimate | null;
  /** The shortest query that asks the same; "" until there is an answer. */
  readonly query: string;
  /** Loads the estimator now, wherever the element is. */
  start(): Promise<void>;
}

/** Once, with the first estimate: "load". Each new estimate: "estimate", which bubbles. Neither estimate nor module: "error". */
export interface PlimsollEstimateEvents {
  load: Event;
  estimate: CustomEvent<EstimateAnswer>;
  /** `reason` is set where the estimator could not be loaded. */
  error: CustomEvent<{ issues: Issue[]; reason: unknown }>;
}

declare global {
  interface HTMLElementTagNameMap {
    'plimsoll-estimate': PlimsollEstimate;
  }
}
