#!/usr/bin/env python3
"""Draws the tables of Performance.md as bars, readable in light and dark: draw.py, from any folder."""
import pathlib
import re

CATALOG = pathlib.Path(__file__).resolve().parents[2] / "Sources/Errand/Errand.docc"
STYLE = """
  <style>
    text { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .title { font-weight: 600 }
    .note { font-size: 12px; fill: #59636e }
    .errand { fill: #d9480f }
    .other { fill: #8c959f }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .note { fill: #9198a1 }
      .errand { fill: #ff922b }
      .other { fill: #6e7681 }
    }
  </style>"""


def table(heading):
    """The first table under a heading, as rows of cells, with each empty first cell filled from the row above."""
    text = (CATALOG / "Performance.md").read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = re.search(r"(^\|.*\n)+", text, re.MULTILINE)[0].splitlines()
    rows = [[cell.strip() for cell in line.removeprefix("|").removesuffix("|").split("|")] for line in lines]
    first = ""
    for row in rows[2:]:
        first = row[0] = row[0] or first
    return rows[2:], re.search(r"\d{4}-\d{2}-\d{2}", text)[0]


def chart(name, description, groups, note, unit):
    """Writes one chart: groups of bars, each a label and a value."""
    left, width, bar = 190, 400, 20
    longest = max(value for _, bars in groups for _, value in bars)
    y, parts = 12, []
    for title, bars in groups:
        y += 14
        parts.append(f'  <text class="title" x="0" y="{y}">{title}</text>')
        y += 10
        for label, value in bars:
            length = max(1, round(width * value / longest))
            kind = "errand" if label.startswith("Errand") else "other"
            parts.append(f'  <text x="{left - 10}" y="{y + 15}" text-anchor="end">{label}</text>')
            parts.append(f'  <rect class="{kind}" x="{left}" y="{y}" width="{length}" height="{bar}" rx="2"/>')
            parts.append(f'  <text x="{left + length + 8}" y="{y + 15}">{value:g} {unit}</text>')
            y += bar + 6
        y += 10
    parts.append(f'  <text class="note" x="0" y="{y + 8}">{note}</text>')
    size = f'width="720" height="{y + 20}" viewBox="0 0 720 {y + 20}"'
    document = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{description}">', STYLE.strip("\n")]
    (CATALOG / "Resources" / f"{name}.svg").write_text("\n".join([*document, *parts, "</svg>", ""]))


rows, date = table("Typed requests and JSON")
groups = {}
for concurrency, client, _, cost, *_ in rows:
    if client != "Errand, the shared executor":
        label = client.replace(", the transport's executor", "").replace("`", "")
        groups.setdefault(f"{concurrency} requests at once", []).append((label, float(cost)))
chart(
    "typed-requests", "CPU time of a typed request in microseconds", list(groups.items()),
    f"CPU time of a GET of 5.5 KB, validated and decoded, on Linux, the transport's executor, {date}; less is better.",
    "us")
