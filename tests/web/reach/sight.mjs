// Boxes on the screen.

const edge = 4; // so much of a thing must be inside, or a press may miss it

/** What of the thing can be seen. */
const visible = ({ box, window }) => ({
  left: Math.max(box.left, window.left), top: Math.max(box.top, window.top), right: Math.min(box.right, window.right), bottom: Math.min(box.bottom, window.bottom),
});

/** The middle of what can be seen of a thing, or of a box. */
export function centre_of(seen) {
  const { left, top, right, bottom } = seen.box ? visible(seen) : seen;
  return [(left + right) / 2, (top + bottom) / 2];
}

/** All of it, or as much as fits. */
export function is_in_sight(seen) {
  const part = visible(seen), { box, window } = seen;
  const wanted = Math.min(box.bottom - box.top, (window.bottom - window.top) / 2);
  return part.right - part.left >= Math.min(edge, box.right - box.left) && part.bottom - part.top >= wanted - 1;
}
