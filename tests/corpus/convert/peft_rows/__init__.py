"""Runs of the PEFT library's method comparison: what trains, from the config that the library saved."""
