"""The sides of a row of tests/measure: model, work, code, ranks, adapters, and the figures of each kind."""
