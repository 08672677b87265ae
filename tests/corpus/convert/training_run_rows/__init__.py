"""Tables of training runs: model, configuration and what they reached."""
