#!/usr/bin/env python3
"""How the cost of a router grows with its routes, as a Markdown table.

  growth.py --routec build-release/bin/routec [--sizes 10,100,1000,10000,100000] [--folder DIR]

The routes are the first of ../shared/routes/real_100k.txt.xz beside the checkout. Each size is
compiled by routec, then by g++ -O2 in two jobs; then all sizes are looked up in interleaved rounds, each
request of which must lead to its own route."""
import argparse, concurrent.futures, json, lzma, os, pathlib, random, re, statistics, subprocess
import sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ROUTES = ROOT.parent / "shared" / "routes" / "real_100k.txt.xz"
REQUESTS = 16384  # in a random order that is longer than a branch predictor remembers
ROUNDS = 5
JOBS = 2
COMPILE = ["g++", "-std=c++20", "-O2", f"-I{ROOT}/runtime/include"]

def read_routes(count):
    """[(method, pattern)], parameters named anew since some names are no identifiers."""
    routes = []
    with lzma.open(ROUTES, "rt", encoding="utf-8") as file:
        for line, _ in zip(file, range(count)):
            method, path = line.rstrip("\n").split(" ", 1)
            parts = re.split(r"\{[^{}]*\}", path)
            routes.append((method, "".join(p + f"{{p{i + 1}}}" for i, p in enumerate(parts[:-1])) + parts[-1]))
    return routes

def value(rng):
    """Of a parameter: an id, a name or a hash. Each holds a '~', so that no literal of a route is one."""
    words = ["octocat", "hello-world", "a-rather-long-name", "main", "invoice", "eu-west-1"]
    return rng.choice([f"~{rng.randrange(10**7)}", f"{rng.choice(words)}~{rng.randrange(100)}",
                       f"~{rng.getrandbits(128):032x}"])

def write_inputs(folder, routes, rng):
    manifest = ["routec: 1", "namespace: growth", "routes:"]
    for number, (method, pattern) in enumerate(routes):
        manifest.append(f"  ? {json.dumps(method + ' ' + pattern, ensure_ascii=False)}\n  : r{number}")
    (folder / "routes.yaml").write_text("\n".join(manifest) + "\n", encoding="utf-8")
    with open(folder / "requests", "w", encoding="utf-8") as file:
        for _ in range(REQUESTS):
            number = rng.randrange(len(routes))
            method, pattern = routes[number]
            path = re.sub(r"\{p\d+\}", lambda _: value(rng), pattern)
            file.write(f"r{number}\t{method}\t{path}\n")

def write_all(sizes, folders):
    routes = read_routes(max(sizes))
    for size, folder in zip(sizes, folders):
        folder.mkdir(parents=True, exist_ok=True)
        write_inputs(folder, routes[:size], random.Random(size))

def measured(command):
    """Runs it; wall seconds, CPU seconds, and peak memory in MiB of it and what it ran."""
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode: sys.exit(f"growth.py: {command[0]} failed")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

def make(folder, options):
    """One size: routec, then g++."""
    generated = folder / "gen"
    routec = [options.routec, folder / "routes.yaml", "-o", generated, "--quiet", "-Wno-overlap"]
    seconds, _, memory = measured([*routec, "--python", options.python])
    size = sum(path.stat().st_size for path in generated.iterdir() if path.suffix != ".o")
    sources = sorted(generated.glob("*.cc"))  # that of all handlers, which takes longest, comes first
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        builds = list(pool.map(lambda path: measured([*COMPILE, "-c", path, "-o", f"{path}.o"]), sources))
    build_seconds = time.monotonic() - start
    measured([*COMPILE, HERE / "growth_bench.cc", *generated.glob("*.o"), "-o", folder / "bench"])
    return [f"{seconds:.1f}", f"{memory:.0f}", f"{size / 1e6:.2f}", f"{build_seconds:.0f}",
            f"{sum(cpu for _, cpu, _ in builds):.0f}", f"{max(memory for _, _, memory in builds):.0f}"]

def look_up(folder):
    done = subprocess.run([folder / "bench", folder / "requests"], capture_output=True, text=True)
    if done.returncode: sys.exit("growth.py: " + done.stderr)
    return float(done.stdout)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--routec", required=True)
    parser.add_argument("--python", default="/usr/bin/python3", help="that routec runs; it has jinja2")
    parser.add_argument("--sizes", default="10,100,1000,10000,100000")
    parser.add_argument("--folder", help="keep all files here")
    options = parser.parse_args()
    if not ROUTES.exists():
        print("skipped: there is no", ROUTES)
        return
    sizes = [int(size) for size in options.sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="growth-") as temporary:
        folders = [pathlib.Path(options.folder or temporary, str(size)) for size in sizes]
        # In another process: what a process holds counts as the peak of those that it starts.
        with concurrent.futures.ProcessPoolExecutor(1) as pool: pool.submit(write_all, sizes, folders).result()
        rows = []
        for size, folder in zip(sizes, folders):
            rows.append([f"{size:,}", *make(folder, options)])
            print(f"{size} routes are compiled", file=sys.stderr)
        rounds = [[look_up(folder) for folder in folders] for _ in range(ROUNDS)]
    print("| routes | routec, s | MiB | output, MB | g++ -j2, s | CPU, s | largest, MiB | hit, ns |")
    print("|" + "---|" * 8)
    for row, times in zip(rows, zip(*rounds)):
        print("| " + " | ".join([*row, f"{statistics.median(times):.0f}"]) + " |")

if __name__ == "__main__": main()
