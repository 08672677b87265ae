"""Rows of measured inference memory and speed, part by part: tests/corpus/convert/measured_inference.py."""
