"""What a server must stand, at full size, as a table: soak.py [--builds PREFIX] [ITEM...]. PREFIX and `release`, `asan`, `clang`,
`tsan` or `fuzz` is a build folder. Without items all are run; each is independent of the others, so one that was cut short can be run again."""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FUZZERS = {  # by name, where in a build folder; the corpus is made there unless it is in the sources
    "request_parser": "http", "chunked_body": "http", "target": "http", "connection": "http", "manifest": "manifest",
    "match": "", "path_scan": ""}
CORPUS = HERE.parent / "fuzz" / "corpus"
FUZZ_SECONDS = 600
# The shim and the thread sanitizer both put themselves between program and libc, and limits for all threads are a share for
# each, so that four threads reach them sooner.
UNFIT_FOR_TSAN = ("accept_errors|allocation_failure|clock_moves|tiny_io|tiny_bodies|few_writes|"
                  "descriptors_exhausted|max_connections")
TESTS = {  # by file, then by item
    "at_rest_test.py": {1: ["idle_memory"], 2: ["buffers_return"], 3: ["connect_cycles"]},
    "hostile_clients_test.py": {4: ["slow_head"], 5: ["slow_body"], 6: ["slow_reader", "slow_but_steady_reader"],
                                7: ["silent_connect"], 8: ["reset_storm"], 9: ["chunk_abuse"], 10: ["parse_cost"]},
    "exhaustion_test.py": {11: ["descriptors_exhausted", "accept_errors"], 12: ["allocation_failure"],
                           13: ["max_buffered"], 14: ["paused"], 16: ["log_blocked"], 26: ["clock_moves"]},
    "delivery_test.py": {17: ["tiny_io", "tiny_bodies", "bodies"], 20: ["refused_upload"], 21: ["half_close"],
                         22: ["pipelining", "few_writes"]},
    "life_cycle_test.py": {23: ["drain", "drain_waits_for_newcomers", "drain_is_bounded"], 24: ["rolling_restart"], 25: ["socket_activation", "restart"]},
    "network_test.py": {19: ["bad_network", "dead_peers"], 20: ["refused_upload"]},
    "answers_test.py": {27: ["handler_faults", "streams", "files"]},
}


def python(file, *arguments):
    return [sys.executable, HERE / file, *map(str, arguments)]


def commands(builds):
    """Item -> [(name, command)]."""
    release = pathlib.Path(f"{builds}release")
    server, shim = release / "tests/http/http_conformance_server", release / "tests/http/libhttp_fault_shim.so"
    items = collections.defaultdict(list)
    for file, of_file in TESTS.items():
        for item, names in of_file.items():
            items[item] += [(name, python(file, server, name, shim)) for name in names]
    asan = pathlib.Path(f"{builds}asan/tests/http")
    items[12].append(("allocation_failure", ["env", "ROUTEC_TEST_SANITIZED=1", "ASAN_OPTIONS=verify_asan_link_order=0",  # the shim is first
                                             *python("exhaustion_test.py", asan / "http_conformance_server", "allocation_failure",
                                                     asan / "libhttp_fault_shim.so")]))
    items[18] = [("conformance_split", python("conformance_test.py", server, "--split"))]
    items[30] = [("mixed_load", python("mixed_load.py", server, "--seconds", 600))]
    items[32] = [(f"fuzz_{name}", fuzz(pathlib.Path(f"{builds}fuzz/tests/fuzz"), name)) for name in FUZZERS]
    items[33] = [("differential", python("differential_test.py", server, "--count", 1_000_000))]
    items[34] = [("random tables", [release / "tests/behaviour/differential", "--tables", "10000", "--requests", "100"])]
    items[35] = [("tsan", ["ctest", "--test-dir", f"{builds}tsan", "-R", r"^http\.", "-E", UNFIT_FOR_TSAN, "-j", "2", "--output-on-failure"]),
                 ("clang-tidy", ["run-clang-tidy", "-quiet", "-p", f"{builds}clang", f"^{ROOT}/(generator|runtime)/"])]
    return dict(sorted(items.items()))


def corpora(built, name):
    """Where the seeds of a fuzz target are."""
    if name in ("match", "path_scan"):
        return [CORPUS / "match"]
    made = built / FUZZERS[name] / "corpus"
    return [made if name == "manifest" else made / name] + [kept for kept in [CORPUS / name] if kept.is_dir()]


def fuzz(built, name):
    return [built / FUZZERS[name] / f"fuzz_{name}", f"-max_total_time={FUZZ_SECONDS}", "-timeout=1", "-rss_limit_mb=256",
            "-max_len=8192", "-verbosity=0", "-print_final_stats=1", built / "found" / name, *corpora(built, name)]


def environment(item, builds):
    own = {"ROUTEC_TEST_FULL": "1"}
    if item == 32:
        own = {"ASAN_OPTIONS": "quarantine_size_mb=16"}
        for name in FUZZERS:
            pathlib.Path(f"{builds}fuzz/tests/fuzz/found/{name}").mkdir(parents=True, exist_ok=True)
    if item == 35:
        own = {"ROUTEC_TEST_SANITIZED": "1", "ROUTEC_TEST_THREADS": "4"}
    return {**os.environ, **own}


def row_of(item, name, run):
    """For what prints no rows of its own."""
    if item == 32:
        executed = re.search(r"number_of_executed_units: (\d+)", run.stdout)
        return (f"findings of {name} in {FUZZ_SECONDS} s: 0", f"{'0' if run.returncode == 0 else 'some'} in "
                f"{executed[1] if executed else '?'} inputs")
    if name == "clang-tidy":
        return "findings of clang-tidy in generator and runtime: 0", str(len(set(re.findall(r"\S+:\d+:\d+:.* error: .*", run.stdout))))
    if item == 35:
        summary = re.search(r".*tests passed.*", run.stdout)
        return "short tests under ThreadSanitizer, 4 threads: all pass", summary[0] if summary else "?"
    return f"{name}: passes", (run.stdout.splitlines() or ["passed"])[-1]


def run_one(item, name, command, builds):
    """Its rows: demand, measured, and ok, short or skipped."""
    run = subprocess.run(command, env=environment(item, builds), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith("| ")]
    if item in (32, 34, 35) or not rows:
        rows.append([*row_of(item, name, run), "ok" if run.returncode == 0 else "short"])
    elif run.returncode and all(row[2] == "ok" for row in rows):
        rows.append([f"{name}: passes", run.stdout.splitlines()[-1], "short"])
    if run.returncode:
        print(run.stdout[-4000:], file=sys.stderr)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("items", nargs="*", type=int)
    parser.add_argument("--builds", default="build-")
    options = parser.parse_args()
    items = commands(options.builds)
    if unknown := set(options.items) - set(items):
        parser.error(f"no such items: {sorted(unknown)}; there are {', '.join(map(str, items))}")
    print("| item | demand | measured | |\n|---|---|---|---|", flush=True)
    short = 0
    for item in options.items or items:
        begin = time.monotonic()
        for name, command in items[item]:
            for row in run_one(item, name, command, options.builds):
                print("|", item, "|", " | ".join(row), "|", flush=True)
                short += row[2] == "short"
        print(f"item {item}: {time.monotonic() - begin:.0f} s", file=sys.stderr)
    sys.exit(short != 0)


main()
