// After the first visit the page works without a network: a service worker keeps its files. When it has those of another version, the reader
// is told, and decides: what is on the screen stands in the address, so nothing is lost.

/** Where there is no worker (an old browser, a private window, a page opened from disk), the page works as long as it is online. */
export async function keep_for_offline(button) {
  const workers = navigator.serviceWorker;
  if (!workers || navigator.connection?.saveData) return; // the latter: the reader pays for every byte
  try {
    offer_newer(workers, await workers.register('service-worker.js'), button);
  } catch (reason) {
    console.info('Plimsoll: not kept for use without a network.', reason.message);
  }
}

/** The first version needs no offer: nothing older is on the screen. */
function offer_newer(workers, registration, button) {
  const offer = () => { button.hidden = !(registration.waiting && workers.controller); };
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
  button.addEventListener('click', () => {
    workers.addEventListener('controllerchange', () => location.reload(), { once: true });
    registration.waiting?.postMessage('take over');
  });
  offer();
}
