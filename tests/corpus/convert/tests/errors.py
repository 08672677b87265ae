"""Errors of answers, as the product sums them up: each measurement once, by nearest rank."""

import statistics


def summed(answers, metric, group=None):
    """Those that count."""
    return [one for one in answers if one["metric"] == metric and one["status"] == "modelled" and not one["twin"] and not one["set"]
            and not one["measured_is_rounded"] and one["unexplained_error"] is not None and group in (None, one["group"])]


def errors_of(rows):
    return sorted(abs(one["unexplained_error"]) for one in rows)


def median(errors):
    return statistics.median(errors)


def ninetieth(errors):
    return sorted(errors)[-(-9 * len(errors) // 10) - 1]


def by_configuration(rows):
    """One error for each configuration, its median; a row without one is a configuration of its own."""
    groups = {}
    for one in rows:
        groups.setdefault((one["group"], one["config"] or one["id"]), []).append(abs(one["unexplained_error"]))
    return [median(errors) for errors in groups.values()]
