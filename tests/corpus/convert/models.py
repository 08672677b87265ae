"""Published parameter counts of models, and the config.json that each belongs to.

{"hf_id", "name", "family", "config", "params_total_published", "params_active_published", "published_is_rounded", "diff_explained":
[{"what", "amount"}]}, or the catalogue's own spelling of the same.
"""

from common import NotCovered, evidence, figure, is_whole, main, query_text
from row import text

# What the two spellings call the same. The last is true of rounded counts in one of them and of exact ones in the other.
PUBLISHED = {"total": "params_total_published", "active": "params_active_published", "terms": "diff_explained", "amount": "amount",
             "source": "params_source"}
CATALOGUE = {"total": "published_parameters", "active": "published_active_parameters", "terms": "differences", "amount": "parameters",
             "source": "parameters_source"}

# Terms that are what the count leaves over: no facts of their own, so they explain nothing.
LEFT_OVER = ("remainder", "not identified", "unexplained", "unidentified")
TOLERATED = 1e-5  # of the count; a larger left-over is a part of the model that the config does not describe


def is_left_over(what):
    return any(word in what.lower() for word in LEFT_OVER)


def differences(row, keys):
    """What the row says that one of the two sides leaves out: (what, parameters), left-overs apart."""
    terms = row.get(keys["terms"]) if isinstance(row.get(keys["terms"]), list) else []
    told = [(text(term, "what"), term.get(keys["amount"])) for term in terms if isinstance(term, dict)]
    told = [(what, int(amount)) for what, amount in told if is_whole(amount)]
    return [term for term in told if not is_left_over(term[0])], [term for term in told if is_left_over(term[0])]


def figures(row, keys, explained):
    total, active = row.get(keys["total"]), row.get(keys["active"])
    rounded = row.get("published_is_rounded") is True or row.get("published_is_exact") is False
    made = []
    if is_whole(total):
        made.append(figure("parameters", int(total), "parameters", metric="params_total", rounded=rounded or None,
                           explained=explained or None))
    if is_whole(active):  # makers round, and differ in whether they count embedding and head
        made.append(figure("active_parameters", int(active), "parameters", metric="params_active", rounded=True))
    return made


def check(row, keys, left_over):
    if not isinstance(row.get("config"), dict):
        raise NotCovered("The row gives no config.")
    total = row.get(keys["total"])
    if not is_whole(total) or total < 1:
        raise NotCovered("The row gives no published count.")
    for what, amount in left_over:
        if abs(amount) > TOLERATED * total:
            raise NotCovered(f"A part of the published count is known only as what is left of it: {what}.")


def convert(row):
    keys = PUBLISHED if PUBLISHED["total"] in row or "hf_id" in row else CATALOGUE
    explained, left_over = differences(row, keys)
    config = row.get("config")
    made = {
        "id": text(row, "hf_id") or text(row, "id") or text(row, "name"),
        "group": text(row, "family") or text(row, "model_type"),
        "source": {"count": text(row, keys["source"]), "config": text(row, "config_source")},
        "measured": figures(row, keys, sum(amount for _, amount in explained)),
        "query": query_text({"model": row["id"]} if keys is CATALOGUE and text(row, "id") else {"model": "custom", "config": config}),
        "notes": " ".join(filter(None, [text(row, "note"), *(f"{amount:+d}: {what}." for what, amount in explained + left_over)])),
    }
    try:
        check(row, keys, left_over)
    except NotCovered as reason:
        made.update(query=None, not_covered=str(reason))
    return evidence(**made)


if __name__ == "__main__":
    main(convert)
