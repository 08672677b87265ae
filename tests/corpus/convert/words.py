"""Free text of a row, read with a table of phrases. A text is understood when every word of it is in the table: what a row says must
never be dropped because nobody thought of it."""

import re

NOTHING = None  # the meaning of words that say nothing to the estimate


def words_of(text):
    """Lower-case words: letters, digits and the points inside of numbers; everything else is a gap."""
    return re.findall(r"(?:[a-z0-9]|(?<=[0-9])\.(?=[0-9]))+", ascii_lower(text))


def ascii_lower(text):
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text or "")


def letters_of(text):
    """Letters and digits alone, in lower case: "Falcon 40 B" is "falcon40b"."""
    return re.sub(r"[^a-z0-9]", "", ascii_lower(text))


def _stands_at(words, at, phrase):
    """Number of words that the phrase takes there; 0 when it does not stand there."""
    parts = phrase.split(" ")
    return len(parts) if words[at:at + len(parts)] == parts else 0


def contains_word(text, phrase):
    words = words_of(text)
    return any(_stands_at(words, at, phrase) for at in range(len(words)))


def contains_any(text, phrases):
    return any(contains_word(text, phrase) for phrase in phrases)


def understand(text, phrases):
    """The meanings in the order of the text, and the words that no phrase takes. At every word the longest phrase counts."""
    words = words_of(text)
    meanings, rest, at = [], [], 0
    while at < len(words):
        taken, meaning = 0, NOTHING
        for phrase, meant in phrases.items():
            if (length := _stands_at(words, at, phrase)) > taken:
                taken, meaning = length, meant
        if taken == 0:
            rest.append(words[at])
        elif meaning is not NOTHING:
            meanings.append(meaning)
        at += max(taken, 1)
    return meanings, " ".join(rest)


def version(word):
    """The first three numbers of "0.5.6.post2", (0, 5, 6), zeros where there are fewer; None for a word that begins otherwise."""
    if not word[:1].isdigit():
        return None
    parts = [int("".join(c for c in part if c.isdigit())[:6] or 0) for part in word.split(".")[:3]]
    return tuple(parts + [0] * (3 - len(parts)))


def version_after(text, program):
    """The version behind a program's name: "torch 2.1, bitsandbytes 0.41.1" after "bitsandbytes" is (0, 41, 1)."""
    words = words_of(text)
    if program not in words[:-1]:
        return None
    return version(words[words.index(program) + 1])


def number_behind(text, phrase, decimals=0):
    """The number that stands behind the phrase at once, in units of 10^-decimals; None where none follows."""
    at = text.find(phrase)
    if at < 0:
        return None
    found = re.match(r"[ =:]*([0-9]*)(?:\.([0-9]*))?", text[at + len(phrase):])
    whole, fraction = found.group(1), (found.group(2) or "")[:decimals]
    if not whole and not fraction:
        return None
    return int((whole + fraction.ljust(decimals, "0"))[:15])


def number_before(text, phrase, decimals=0):
    """The number that stands before the phrase: "21.89 GiB available"."""
    end = text.find(phrase)
    if end < 0:
        return None
    return number_behind(re.search(r"[0-9.]*$", text[:end]).group(0), "", decimals)
