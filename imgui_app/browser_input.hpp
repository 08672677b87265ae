#pragma once
// What the page must hear for the canvas beyond GLFW's emulation: pasted text, soft keyboards and input methods, fingers,
// and the size of the host element.

#include <string>

namespace plimsoll::app {

/// Call around glfwInit(): the emulation listens to keys on the whole window; between these two calls it is given listeners
/// that hear only what is meant for the canvas, so that HTML fields beside it keep their keys.
void begin_key_guard();
void end_key_guard();

/// Call once the canvas lives.
void listen_to_page();

/// Puts the field for text where the caret is, in pixels of the page: there windows of input methods open, and there phones scroll to.
void place_text_field(float x, float y, float height);

/// Tells the page whether a text box of the app has the keyboard, whether it takes a number, and what it is called.
void announce_text_input(bool wanted, bool number, const std::string& name);

} // namespace plimsoll::app
