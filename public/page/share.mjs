// The link to what is on the screen: onto the clipboard, or on phones to the share sheet.

const shown_ms = 2000;

/** `link()` gives the text; `say(text)` speaks to screen readers. */
export function copy_link_with(button, link, say) {
  const shares = navigator.share && matchMedia('(pointer: coarse)').matches;
  if (shares) button.textContent = 'Share';
  const rest = button.textContent;
  let timer = 0;
  const tell = (text) => {
    button.textContent = text;
    say(text);
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = rest; }, shown_ms);
  };
  button.addEventListener('click', async () => {
    try {
      if (shares) return await navigator.share({ title: document.title, url: link() });
      await navigator.clipboard.writeText(link());
      tell('Copied');
    } catch (reason) {
      if (reason.name === 'AbortError') return; // put away, which is an answer
      tell('Not allowed'); // by the browser; the address bar has the same link
    }
  });
}
