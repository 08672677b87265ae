// The link to what is on the screen: onto the clipboard, or on phones to the share sheet. Other texts: onto the clipboard.

const shown_ms = 2000;

/** `link()` gives the text; `say(text)` speaks to screen readers. */
export const copy_link_with = (button, link, say) => hand_over(button, link, say, navigator.share && matchMedia('(pointer: coarse)').matches);

/** The same for a text that is no address: a share sheet could do nothing with it. */
export const copy_text_with = (button, text, say) => hand_over(button, text, say, false);

function hand_over(button, link, say, shares) {
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
