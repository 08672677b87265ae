project = "Notes on serving"
html_theme = "alabaster"
html_theme_options = {"show_powered_by": False}
html_static_path = ["_static"]
html_js_files = [("plimsoll/plimsoll-element.mjs", {"type": "module"})]
