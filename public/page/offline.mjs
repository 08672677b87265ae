// After the first visit the page works without a network: a service worker keeps its files.

/** Where there is none (an old browser, a private window, a page opened from disk), the page works as long as it is online. */
export function keep_for_offline() {
  if (navigator.connection?.saveData) return; // the reader pays for every byte
  navigator.serviceWorker?.register('service-worker.js').catch((reason) => {
    console.info('Plimsoll: not kept for use without a network.', reason.message);
  });
}
