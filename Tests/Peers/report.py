#!/usr/bin/env python3
"""Prints the medians of the results of `run`, and their ratios to the other clients: report.py FILE."""
import collections
import json
import statistics
import sys

TABLES = {
    "plain": "GET of 4 KB of JSON, HTTP/1.1", "typed": "the same, checked and decoded to users", "HTTPS": "HTTPS, kept connections",
    "gzip": "HTTPS, with gzip", "HTTP/2": "HTTP/2, 16 streams",
}
rows = collections.defaultdict(list)
for line in open(sys.argv[1]):
    row = json.loads(line)
    rows[row["table"], row["job"], row["concurrency"], row["peer"]].append(row)


def median(key, figure):
    return statistics.median(figure(row) for row in rows[key]) if key in rows else None


def rate(row):
    return row["count"] / row["seconds"]


def ratio(mine, theirs):
    return f"{mine / theirs:8.2f}" if mine and theirs else "       -"


for table, title in TABLES.items():
    print(f"\n{title}\n{'at once':>8} {'':20} {'per s':>8} {'CPU us':>8} {'x AHC':>8} {'x curl':>8} {'x URLS.':>8}")
    for name, job, concurrency, peer in sorted(key for key in rows if key[0] == table):
        key = (name, job, concurrency)
        mine = median((*key, peer), rate)
        cost = median((*key, peer), lambda row: row["cpu"] / row["count"] * 1e6)
        others = [ratio(mine, median((*key, other), rate)) for other in ("async-http-client", "libcurl", "urlsession")]
        print(f"{concurrency:8} {peer:20} {mine:8.0f} {cost:8.1f} {' '.join(others)}")

print(f"\nJSON, by CPU time\n{'':20} {'MB/s':>8} {'Foundation':>10} {'ratio':>8}")
for job in sorted({key[1] for key in rows if key[0] == "JSON"}):
    mine, theirs = (median(("JSON", job, 1, peer), lambda row: row["bytes"] / row["cpu"] / 1e6) for peer in ("errand", "foundation"))
    print(f"{job:20} {mine:8.0f} {theirs:10.0f} {ratio(mine, theirs)}")

print("\nthree operators, ns each")
for key in sorted(key for key in rows if key[0] == "pipeline"):
    print(f"{key[3]:20} {median(key, lambda row: row['seconds'] / row['count'] * 1e9):8.0f}")

print("\n256 MiB: MB/s, peak memory in MiB")
for key in sorted(key for key in rows if key[0] == "download"):
    print(f"{key[3]:20} {median(key, lambda row: row['bytes'] / row['seconds'] / 1e6):8.0f} {median(key, lambda row: row['memory'] / 2**20):8.0f}")
