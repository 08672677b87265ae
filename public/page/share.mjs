// Copying: the link to what is on the screen, and other texts.

const shown_ms = 2000;

/** `link()` gives the text; `say(text)` speaks to screen readers. */
export function copy_link_with(button, link, say) {
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
      await navigator.clipboard.writeText(link());
      tell('Copied');
    } catch {
      tell('Not allowed'); // by the browser; the address bar has the same link
    }
  });
}
