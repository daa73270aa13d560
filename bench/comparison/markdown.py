"""The results as Markdown tables, for bench/RESULTS.md. Made of the report that --json writes, nothing else."""

import re

from comparison.report import number, spread


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def throughput_table(rows):
    def cells(row):
        ratios = [spread(metric["ratio"]) for metric in row["metrics"].values()]
        return [f"`{row['name']}`", str(row["labels"]["depth"]), str(row["labels"]["connections"]), *ratios, note(row)]
    return table(["workload", "depth", "connections", "operations/s, ratio", "server CPU per operation, ratio", ""],
                 map(cells, rows))


def note(row):
    return "; ".join(row["notes"])


def value_lines(row, baseline):
    """One line of cells for each metric of the row."""
    if not row["metrics"]:
        yield [label(row), "", "", "", "", note(row)]
    for at, (key, metric) in enumerate(row["metrics"].items()):
        values = [f"{number(row['medians'][name][key], metric['digits'])} {metric['unit']}"
                  for name in (row["server"], baseline)]
        yield [label(row), metric["title"], *values, spread(metric["ratio"]), note(row) if at == 0 else ""]


def label(row):
    return row["title"].replace(row["name"], f"`{row['name']}`", 1)


def value_table(rows, baseline, server):
    return table(["", "what", server, baseline, "ratio", ""],
                 [line for row in rows for line in value_lines(row, baseline)])


def short_version(text):
    found = re.search(r"v=(\S+)(?: lockstep=(\S+))?", text)
    return (found[2] or found[1]) if found else text


def server_section(report, server):
    baseline = report["baseline"]
    rows = [row for row in report["rows"] if row["server"] == server]
    versions = {name: short_version(text) for name, text in report["versions"].items()}
    parts = [f"## {server} {versions[server]} beside {baseline} {versions[baseline]}\n"]
    titles = {"throughput": "Workloads", "handover": "From client to client", "figure": "The process"}
    for kind, title in titles.items():
        chosen = [row for row in rows if row["kind"] == kind]
        if chosen:
            made = throughput_table(chosen) if kind == "throughput" else value_table(chosen, baseline, server)
            parts.append(f"### {title}\n\n{made}")
    return parts


def render(report):
    machine = report["machine"]
    servers = [name for name in report["versions"] if name != report["baseline"]]
    parts = ["# Results\n",
             f"Written by `bench/compare{' --quick' if report['quick'] else ''} --markdown` on {report['date']}: "
             f"{machine['cores']} cores ({machine['cpu']}), {machine['system']}, Linux {machine['kernel']}; "
             f"{report['rounds']} rounds, {report['figure_rounds']} for what concerns the process.\n"
             f"[README.md](README.md) says what each row is and how to read it: medians, ratios to "
             f"{report['baseline']} in the same round with [smallest..largest].\n"]
    for server in servers:
        parts += server_section(report, server)
    return "\n".join(parts)
