"""Tables made to grow without bound: routec must end, be right, and serve every request alike.

    adversarial_test.py ROUTEC DIFFERENTIAL CXX

The work of a lookup is counted in instructions, by callgrind where it is installed.
"""
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MAX_SECONDS = 10
MAX_KIB = 1 << 20
MAX_RATIO = 2  # of the worst lookup to a typical one of the same length
DEPTH = 12
SKIPPED = 77  # known to CMakeLists.txt

DRIVER = """
#include <cstdio>

#include "routec/router.h"

namespace adversarial {{
routec::Match match(std::string_view method, std::string_view target) noexcept;
}}

// By its plain name callgrind knows it.
extern "C" __attribute__((noinline)) int measured(const char* target) {{
  return adversarial::match("GET", target).status();
}}

int main() {{
  int found = 0;
  for (const char* target : {{{targets}}}) found += measured(target) == 200;
  std::printf("%d\\n", found);
}}
"""


def mixes():
    """Literals and parameters in all 2^12 combinations."""
    for mix in range(1 << DEPTH):
        path = "".join(f"/lit{i:02}" if mix >> i & 1 else f"/{{p{i}}}" for i in range(DEPTH))
        yield f"GET {path}: h{mix}"


def nested():
    """Optional and rest parameters at each of twelve depths, with and without a literal before."""
    for i in range(DEPTH):
        yield f"GET {'/lit00' * i}/{{x?}}: optional{i}"
        yield f"GET {'/lit00' * i}/{{x}}/{{y}}/{{rest...}}: rest{i}"
        yield f"POST {'/{a%d}' * i % tuple(range(i))}/lit00/{{x?}}: post{i}"
        yield f"PUT {'/{a%d}' * i % tuple(range(i))}/{{rest...}}: put{i}"


def accepted(routes, routec, folder):
    """Writes the manifest and generates the router; fails when that takes too much."""
    manifest = folder / "adversarial.yaml"
    lines = [f"  {route}\n" for route in routes]
    manifest.write_text("routec: 1\nnamespace: adversarial\nroutes:\n" + "".join(lines))
    process = subprocess.Popen([routec, manifest, "-o", folder, "--quiet", "-Wno-overlap",
                                "--parts", "2"])  # so that match() and the tables have a file of their own
    _, status, usage = os.wait4(process.pid, 0)
    seconds = usage.ru_utime + usage.ru_stime
    print(f"{len(lines)} routes: {seconds:.1f} s, {usage.ru_maxrss >> 10} MiB", flush=True)
    if status != 0 or seconds > MAX_SECONDS or usage.ru_maxrss > MAX_KIB:
        sys.exit("routec fails, or takes too much")
    return manifest


def targets():
    """Of one length: all literals, none, nearly all, and random mixes."""
    draw = random.Random(1)
    every = (1 << DEPTH) - 1
    masks = [0, every, 1, every - 1, 1 << DEPTH - 1, every >> 1]
    masks += [draw.randrange(1 << DEPTH) for _ in range(40)]
    for mask in masks:
        yield "".join(f"/lit{i:02}" if mask >> i & 1 else f"/val{i:02}" for i in range(DEPTH))


def measure(folder, cxx):
    """Compares the instructions of lookups; returns SKIPPED if it cannot."""
    if shutil.which("valgrind") is None:
        print("skipped: no valgrind, the work of lookups is not measured")
        return SKIPPED
    quoted = ", ".join(f'"{target}"' for target in targets())
    (folder / "driver.cc").write_text(DRIVER.format(targets=quoted))
    files = [folder / "driver.cc", folder / "adversarial_router_tables.cc"]
    subprocess.run([cxx, "-std=c++20", "-O2", f"-I{SOURCE / 'runtime/include'}", *files, "-static",
                    "-o", folder / "driver"], check=True)
    subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=measured",
                    "--dump-after=measured", f"--callgrind-out-file={folder / 'counts'}",
                    folder / "driver"], check=True, capture_output=True)
    counts = []
    for path in folder.glob("counts.*"):
        totals = [line for line in path.read_text().splitlines() if line.startswith("totals:")]
        counts += [int(line.split()[1]) for line in totals if int(line.split()[1]) > 0]
    typical, worst = statistics.median(counts), max(counts)
    print(f"{len(counts)} lookups: {typical} instructions, at worst {worst}")
    if len(counts) < 40 or worst > MAX_RATIO * typical:
        sys.exit("some lookups cost far more than others")
    return 0


def main():
    routec, differential, cxx = sys.argv[1:]
    skipped = 0
    for family in (mixes, nested):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            manifest = accepted(family(), routec, folder)
            subprocess.run([differential, "--manifest", manifest, "--requests", "300"], check=True)
            if family is mixes:
                skipped = measure(folder, cxx)
    return skipped


if __name__ == "__main__":
    sys.exit(main())
