"""One object of a row: what is missing, of the wrong kind or out of range is the reason why the row is not covered."""

from common import NotCovered, is_number, is_whole

MOST = 100_000_000  # far beyond any model, so that a damaged row cannot ask for a day of work
REQUIRED = object()


class Section:
    def __init__(self, row, name, path=""):
        found = row.get(name) if isinstance(row, dict) else None
        self.members = found if isinstance(found, dict) else {}
        self.path = f"{path}{name}."

    def inside(self, name):
        return Section(self.members, name, self.path)

    def find(self, key):
        return self.members.get(key)

    def has(self, key):
        return self.find(key) is not None

    def integer(self, key, standard=REQUIRED, least=1, most=MOST):
        """A whole number from `least` to `most`; without a standard it must be there."""
        value = self.find(key)
        if value is None:
            if standard is REQUIRED:
                raise NotCovered(f"The row does not say {self.path}{key}.")
            return standard
        if not is_whole(value) or not least <= value <= most:
            raise NotCovered(f"{self.path}{key} is {value!r}, where a whole number from {least} to {most} is needed.")
        return int(value)

    def real(self, key, standard=None):
        value = self.find(key)
        if value is None:
            return standard
        if not is_number(value):
            raise NotCovered(f"{self.path}{key} is {value!r}, where a number is needed.")
        return value

    def flag(self, key, standard=False):
        """true or false, also as 1, 0, "true" and "false"."""
        value = self.find(key)
        if value is None:
            return standard
        for meant in (False, True):
            if value is meant or (is_whole(value) and value == int(meant)) or value == ("true" if meant else "false"):
                return meant
        raise NotCovered(f"{self.path}{key} is {value!r}, where true or false is needed.")

    def text(self, key, standard=""):
        value = self.find(key)
        if value is None:
            return standard
        if not isinstance(value, str):
            raise NotCovered(f"{self.path}{key} is {value!r}, where text is needed.")
        return value

    def choice(self, key, words, standard=None):
        """What the word means; a word that is not in the table is not understood."""
        given = self.text(key) or standard
        if given is None:
            raise NotCovered(f"The row does not say {self.path}{key}.")
        if given not in words:
            raise NotCovered(f"{self.path}{key} is {given!r}, which is not known here.")
        return words[given]
