// The mouse over the accessibility layer is the mouse over the drawing: every event goes on to the canvas, whose program alone decides
// what it means. Fingers are heard by the program itself, wherever in its host they come down.

const passed = ['mousemove', 'mousedown', 'mouseup'];

/** `root` lies over `canvas`. `settle` is called before a press, while what was just scrolled may not be drawn yet. */
export function pass_pointer({ canvas, root, settle }) {
  let pressed = false; // the last press was the mouse's, and the drawing has it

  for (const type of passed) {
    root.addEventListener(type, (event) => {
      const on_it = event.isTrusted && is_inside(event.target, event);
      if (type === 'mousedown') {
        settle();
        event.preventDefault(); // or the element would take the focus from the canvas
        pressed = on_it;
        if (on_it) canvas.dispatchEvent(new MouseEvent('mousemove', event)); // a press without a way there: where the pointer is, comes first
      }
      if (on_it) canvas.dispatchEvent(new MouseEvent(type, event));
    });
  }
  root.addEventListener('wheel', (event) => {
    if (event.ctrlKey) return; // the browser's own zoom
    canvas.dispatchEvent(new WheelEvent('wheel', event));
    event.preventDefault();
  }, { passive: false });

  // Between the canvas and an element over it the pointer does not leave the drawing.
  const stays = (event) => event.target === canvas && event.relatedTarget instanceof Node && root.contains(event.relatedTarget);
  for (const type of ['mouseenter', 'mouseleave']) {
    canvas.parentElement.addEventListener(type, (event) => stays(event) && event.stopImmediatePropagation(), true);
  }
  root.addEventListener('mouseleave', (event) => {
    if (event.relatedTarget !== canvas) canvas.dispatchEvent(new MouseEvent('mouseleave', event));
  });
  root.addEventListener('mouseenter', (event) => canvas.dispatchEvent(new MouseEvent('mouseenter', event)));

  // What the mouse has pressed is pressed already; a click that no mouse made (a screen reader's, a script's) is the element's.
  root.addEventListener('click', (event) => {
    if (pressed && event.detail > 0) event.handled = true;
    pressed = false;
  }, true);
}

/** Presses that assistive technology makes up come with a place that is nowhere near. */
function is_inside(element, { clientX, clientY }) {
  const box = element.getBoundingClientRect();
  return clientX >= box.left - 1 && clientX <= box.right + 1 && clientY >= box.top - 1 && clientY <= box.bottom + 1;
}
