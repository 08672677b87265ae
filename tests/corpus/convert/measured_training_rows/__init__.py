"""Rows of measured training runs with their configuration in words, field by field: tests/corpus/convert/measured_training.py."""
