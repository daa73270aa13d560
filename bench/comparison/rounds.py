"""Measures in turns: in a round each server gets one run, the order changes from round to round, and every ratio
is made of two runs of the same round. What a run is comes as a Case; it is not this file's matter."""

import dataclasses
import statistics
import typing

from comparison.errors import NotSupported

DISTURBED = 0.05  # share of a run that a process waited for its core
LOAD_BOUND = 0.95  # share of a run that the generator was busy


@dataclasses.dataclass(frozen=True)
class Metric:
    key: str  # in what a run gives
    title: str
    unit: str
    more_is_better: bool
    digits: int


@dataclasses.dataclass(frozen=True)
class Case:
    """Something to be measured on each server. `measure` takes a target, which has a name, and gives a dict with
    a number for each metric, server_waited, load_waited and possibly load_busy and others."""
    kind: str
    name: str
    labels: dict  # what tells it from others of the same name: {"depth": 16, ...}
    metrics: tuple
    rounds: int
    measure: typing.Callable
    remark: typing.Callable = lambda medians: ""  # what a reader must know of a server's medians

    def title(self):
        return ", ".join([self.name, *(in_words(*label) for label in self.labels.items())])


def in_words(label, value):
    """depth 16, 1 connection, 50 connections"""
    if label == "depth":
        return f"depth {value}"
    return f"{value:,} {label.removesuffix('s') if value == 1 else label}"


def disturbance(round_):
    """The largest share of a run in which somebody else had the core of the server or of the generator."""
    return max(max(run["server_waited"], run["load_waited"]) for run in round_.values())


def measure_rounds(case, targets):
    """Rounds of one run per server, the order turned each time. Disturbed rounds are measured again, at most
    as often again as rounds were asked for; the least disturbed count."""
    rounds = []
    while len(rounds) < 2 * case.rounds:
        order = targets if len(rounds) % 2 == 0 else targets[::-1]
        rounds.append({target.name: case.measure(target) for target in order})
        if sum(disturbance(round_) <= DISTURBED for round_ in rounds) == case.rounds:
            break
    return sorted(rounds, key=disturbance)[:case.rounds]


def ratios(rounds, name, baseline, key):
    values = [round_[name][key] / max(round_[baseline][key], 1e-9) for round_ in rounds]
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "rounds": values}


def notes_of(case, rounds, medians):
    notes = []
    if max(numbers.get("load_busy", 0) for numbers in medians.values()) > LOAD_BOUND:
        notes.append("load-bound")
    if any(disturbance(round_) > DISTURBED for round_ in rounds):
        notes.append("disturbed")
    remarks = {name: case.remark(numbers) for name, numbers in medians.items()}
    return notes + [f"{name}: {remark}" for name, remark in remarks.items() if remark]


def medians_of(runs):
    """Of every number that the runs gave."""
    keys = [key for key, value in runs[0].items() if isinstance(value, (int, float))]
    return {key: statistics.median(run[key] for run in runs) for key in keys}


def summarize(case, rounds, name, baseline):
    """A row: what one server needed, beside the baseline."""
    medians = {server: medians_of([round_[server] for round_ in rounds]) for server in (name, baseline)}
    metrics = {metric.key: {"title": metric.title, "unit": metric.unit, "digits": metric.digits,
                            "more_is_better": metric.more_is_better,
                            "ratio": ratios(rounds, name, baseline, metric.key)}
               for metric in case.metrics}
    return {**head(case, name), "notes": notes_of(case, rounds, medians), "metrics": metrics, "medians": medians}


def head(case, name):
    return {"kind": case.kind, "name": case.name, "labels": case.labels, "title": case.title(), "server": name}


def rows_of(case, targets):
    """One row for each server but the first, which is the baseline."""
    baseline = targets[0].name
    try:
        rounds = measure_rounds(case, targets)
    except NotSupported as reason:
        return [{**head(case, target.name), "notes": [str(reason)], "metrics": {}, "medians": {}}
                for target in targets[1:]]
    return [summarize(case, rounds, target.name, baseline) for target in targets[1:]]
