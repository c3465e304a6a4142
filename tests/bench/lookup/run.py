#!/usr/bin/env python3
"""Lookup speed of routec beside its peers, in one interleaved run.

  run.py --routec build/release/bin/routec [--rounds 7] [--folder DIR]

Needs ../shared/routes beside the checkout, and of Debian: g++ gperf libr3-dev golang-go
golang-github-julienschmidt-httprouter-dev. Prints medians, and the ratios that we promise."""
import argparse, os, random, re, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))
ROUTES = os.path.join(ROOT, "..", "shared", "routes")
SETS = ["static", "github", "github_full"]
REQUESTS = 16384  # in a random order that is longer than a branch predictor remembers
# Contender, its set and kind, and the most that routec may cost in proportion.
PROMISES = [("raw_gperf", "static", "hit", 0.6), ("unordered_map", "static", "hit", 0.35),
            ("r3", "github", "hit", 0.18), ("httprouter", "github", "hit", 0.3)]

def read_routes(name):
    """[(method, pattern)] with {x} for :x and {x...} for *x"""
    def segment(text):
        if text.startswith(":"): return "{" + text[1:] + "}"
        return "{" + text[1:] + "...}" if text.startswith("*") else text
    routes = []
    with open(os.path.join(ROUTES, name + ".txt"), encoding="utf-8") as file:
        for line in file:
            method, path = line.split()
            routes.append((method, "/".join(map(segment, path.split("/")))))
    return routes

def value(name, rng):
    """a realistic value of a parameter"""
    if name in ("id", "number", "comment_id"): return str(rng.randrange(1, 10_000_000))
    if name in ("sha", "ref"): return "%040x" % rng.getrandbits(160)
    words = ["octocat", "julienschmidt", "torvalds", "linux", "hello-world", "httprouter", "go",
             "routec", "a-rather-long-repository-name", "v8", "main", "bug", "x64", "docs"]
    return rng.choice(words)

def fill(pattern, rng):
    return re.sub(r"\{(\w+)(\.\.\.)?\}", lambda m: "/".join(
        value(m[1], rng) for _ in range(rng.randrange(1, 4) if m[2] else 1)), pattern)

def matches(pattern, path):
    parts = [".+" if "..." in p else "[^/]+" if p.startswith("{") else re.escape(p)
             for p in pattern.split("/")]
    return re.fullmatch("/".join(parts), path) is not None

def best(routes, method, path):
    """number of the route that wins: literals before parameters, leftmost first"""
    fits = [(tuple(2 if "..." in s else 1 if s.startswith("{") else 0 for s in p.split("/")), i)
            for i, (m, p) in enumerate(routes) if m == method and matches(p, path)]
    return min(fits)[1] if fits else -1

def misses(path, rng):
    at = rng.randrange(1, max(2, len(path)))
    return rng.choice([path + "/nothing", path[:at] + "~" + path[at:], path[:-1] + "~", "/~" + path[1:]])

def write_requests(folder, name, routes, rng):
    hits, missed, wrong = [], [], []
    while len(hits) < REQUESTS:
        for number in rng.sample(range(len(routes)), len(routes)):
            method, pattern = routes[number]
            path = fill(pattern, rng)
            if best(routes, method, path) == number: hits.append((number, method, path))
            other = misses(path, rng)
            if not any(best(routes, m, other) >= 0 for m in {m for m, _ in routes}):
                missed.append((-1, method, other))
            if best(routes, "TRACE", path) < 0: wrong.append((-1, "TRACE", path))
    for kind, requests in (("hit", hits), ("miss", missed), ("wrong_method", wrong)):
        with open(os.path.join(folder, f"{name}.{kind}"), "w") as file:
            file.writelines(f"{r} {m} {p}\n" for r, m, p in requests[:REQUESTS])
    with open(os.path.join(folder, name + ".routes"), "w") as file:
        file.writelines(f"{m} {p}\n" for m, p in routes)

def write_manifest(folder, name, routes):
    with open(os.path.join(folder, name + ".yaml"), "w") as file:
        file.write(f"routec: 1\nnamespace: {name}_routes\nroutes:\n")
        file.writelines(f"  {m} {p}: r{i:04}\n" for i, (m, p) in enumerate(routes))

def run(*command, **options):
    return subprocess.run(command, check=True, text=True, **options)

def write_gperf(folder, routes):
    keys = "".join(f'"{m} {p}", {i}\n' for i, (m, p) in enumerate(routes))
    text = "struct RawRoute { const char* name; int number; };\n%%\n" + keys
    options = ["-L", "C++", "-m", "10", "-C", "-E", "-l", "-c", "-t", "-Z", "RawGperf", "-N", "find"]
    code = run("gperf", *options, input=text, stdout=subprocess.PIPE).stdout
    with open(os.path.join(folder, "raw_gperf.h"), "w") as file: file.write(code)

def build(folder, routec, cxx):
    rng = random.Random(7)
    for name in SETS:
        routes = read_routes(name)
        write_requests(folder, name, routes, rng)
        write_manifest(folder, name, routes)
        if name == "static": write_gperf(folder, routes)
        run(routec, os.path.join(folder, name + ".yaml"), "-o", folder, "-Wno-overlap", "--quiet")
    flags = ["-std=c++20", "-O3", "-march=native", "-I", folder, "-I", os.path.join(ROOT, "runtime", "include")]
    routers = [os.path.join(folder, name + "_router.cc") for name in SETS if name != "static"]
    run(cxx, *flags, os.path.join(HERE, "lookup_bench.cc"), *routers, "-lr3", "-o", os.path.join(folder, "lookup_bench"))
    go = dict(os.environ, GO111MODULE="off", GOPATH="/usr/share/gocode", GOFLAGS="", GOCACHE=os.path.join(folder, "go"))
    run("go", "build", "-o", os.path.join(folder, "httprouter_bench"), os.path.join(HERE, "httprouter_bench.go"), env=go)

def measure(folder, rounds):
    """(contender, set, kind) -> nanoseconds of each round"""
    times = {}
    for _ in range(rounds):
        for program in ("lookup_bench", "httprouter_bench"):
            out = run(os.path.join(folder, program), folder, stdout=subprocess.PIPE).stdout
            for line in out.splitlines():
                contender, name, kind, ns, _ = line.split()
                times.setdefault((name, kind, contender), []).append(float(ns))
    return times

def report(times):
    print(f"{'set':12} {'kind':13} {'contender':14} {'median ns':>9} {'min':>7} {'max':>7}")
    for (name, kind, contender), ns in sorted(times.items()):
        print(f"{name:12} {kind:13} {contender:14} {statistics.median(ns):9.1f} {min(ns):7.1f} {max(ns):7.1f}")
    kept = True
    for contender, name, kind, most in PROMISES:
        pairs = zip(times[name, kind, "routec"], times[name, kind, contender])
        ratio = statistics.median(ours / theirs for ours, theirs in pairs)
        kept &= ratio <= most
        print(f"routec / {contender}, {name} {kind}: {ratio:.2f} (promised {most})")
    for name in SETS:
        median = {kind: statistics.median(times[name, kind, "routec"]) for kind in ("hit", "miss", "wrong_method")}
        floor = statistics.median(times[name, "hit", "memcmp_floor"])
        print(f"routec {name}: {median['hit'] / floor:.1f} x the memcmp floor; miss {median['miss'] / median['hit']:.2f}, "
              f"wrong method {median['wrong_method'] / median['hit']:.2f} of a hit")
    return kept

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--routec", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", help="keep the built programs there")
    parser.add_argument("--cxx", default="g++")
    options = parser.parse_args()
    if not os.path.isdir(ROUTES):
        print(f"run.py: skipped, there is no {ROUTES}")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        os.makedirs(folder, exist_ok=True)
        build(folder, os.path.abspath(options.routec), options.cxx)
        return 0 if report(measure(folder, options.rounds)) else 1

if __name__ == "__main__": sys.exit(main())
