"""Rows as lines on the screen, and the verdict of --check. The Markdown is in markdown.py."""


def number(value, digits):
    return f"{value:,.{digits}f}"


def spread(ratio):
    """Two decimals, or two digits that say something."""
    digits = 2 if ratio["median"] >= 0.095 or ratio["median"] == 0 else 4
    return f"{ratio['median']:.{digits}f} [{ratio['min']:.{digits}f}..{ratio['max']:.{digits}f}]"


def print_head(baseline):
    print(f"{'':<48}{'':<28}{'':>12}{baseline:>14}  ratio [spread]")


def print_row(row, baseline):
    """One line for each metric; notes stand behind the first."""
    notes = "; ".join(row["notes"])
    title = f"{row['title']:<48}"
    if not row["metrics"]:
        print(f"{title}{notes}", flush=True)
    own, base = row["medians"].get(row["server"]), row["medians"].get(baseline)
    for key, metric in row["metrics"].items():
        what = f"{metric['title']}, {metric['unit']}".replace(", /s", "/s")
        print(f"{title}{what:<28}{number(own[key], metric['digits']):>12}{number(base[key], metric['digits']):>14}  "
              f"{spread(metric['ratio']):<26}{notes}".rstrip(), flush=True)
        title, notes = f"{'' if row['server'] == 'lockstep' else row['server']:<48}", ""


def metric_miss(where, metric, bound):
    ratio = metric["ratio"]["median"]
    if metric["more_is_better"] and ratio < bound:
        return f"{where}: {metric['title']} is {ratio:.3f} of the baseline's, below {bound:g}"
    if not metric["more_is_better"] and ratio > 1 / bound:
        return f"{where}: {metric['title']} is {ratio:.3f} of the baseline's, above {1 / bound:.3g}"
    return None


def misses(rows, bound):
    """What --check complains about: one line per median on the wrong side of the bound, weak rows too: a
    comparison that could not be made has not been passed."""
    lines = []
    for row in rows:
        where = f"{row['title']} ({'; '.join(row['notes'])})" if row["notes"] else row["title"]
        if not row["metrics"]:
            lines.append(where)
        lines += filter(None, (metric_miss(where, metric, bound) for metric in row["metrics"].values()))
    return lines


def verdict(rows, bound):
    """Prints it; the exit status."""
    lines = misses(rows, bound)
    for line in lines:
        print(f"check: {line}")
    print(f"check: {'failed' if lines else 'passed'} (bound {bound:g})")
    return 1 if lines else 0
