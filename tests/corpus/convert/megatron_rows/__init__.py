"""Rows of Megatron-LM's functional tests, part by part: tests/corpus/convert/megatron.py."""
