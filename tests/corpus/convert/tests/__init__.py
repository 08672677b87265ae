"""What the converters make of rows: python3 -m unittest discover -s tests/corpus/convert/tests -t tests/corpus/convert."""
