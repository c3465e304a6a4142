"""Random tables through the command line and real compilers, against the reference matcher.

    compiled_differential.py ROUTEC DIFFERENTIAL --cxx g++,clang++ --tables 200 --seed 1

DIFFERENTIAL prints each manifest with its requests and their answers. Routers are generated one by
one and compiled many to a program, which must give the same answers.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
         "-Werror", f"-I{SOURCE / 'runtime/include'}", f"-I{SOURCE / 'tests/behaviour'}"]
DRIVER = """
#include <iostream>
#include <string>

#include "match_text.h"

// Lines of: number of the router, method, target; both in hexadecimal, behind an 'x'.
int main() {{
  constexpr routec::Match (*kRouters[])(std::string_view, std::string_view) noexcept = {{{routers}}};
  const auto octets = [](const std::string& digits) {{
    std::string text;
    for (std::size_t i = 1; i < digits.size(); i += 2)
      text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return text;
  }};
  std::size_t router = 0;
  for (std::string method, target; std::cin >> router >> method >> target;) {{
    const std::string method_octets = octets(method), target_octets = octets(target);
    std::cout << routec::test::match_text(kRouters[router](method_octets, target_octets)) << '\\n';
  }}
}}
"""


def octets(text):
    """Of octet_text(): printable ASCII and \\xHH in quotes."""
    return re.sub(r"\\x(..)", lambda escape: chr(int(escape[1], 16)), text[1:-1]).encode("latin-1")


def draw(differential, seed, requests):
    """The manifest and [(method, target, answer)]; None if nothing was left of it."""
    run = subprocess.run([differential, "--print", str(seed), "--requests", str(requests)],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return None
    manifest, cases = "", []
    for line in run.stdout.splitlines():
        if not line.startswith("# "):
            manifest += line + "\n"
            continue
        request, answer = line[2:].split("\t")
        method, target = re.findall(r'"[^"]*"', request)
        cases.append((octets(method), octets(target), answer))
    return manifest, cases


def generate(routec, folder, number, manifest):
    name = f"t{number}"
    path = folder / f"{name}.yaml"
    path.write_text(manifest.replace("routec: 1\n", f"routec: 1\nnamespace: {name}\n", 1))
    subprocess.run([routec, path, "-o", folder, "--quiet"], check=True, stderr=subprocess.DEVNULL)
    return name


def check_batch(options, seeds, folder):
    names, lines, requests, answers = [], "", [], []
    for seed in seeds:
        drawn = draw(options.differential, seed, options.requests)
        if drawn is None:
            continue
        manifest, cases = drawn
        for method, target, answer in cases:
            lines += f"{len(names)} x{method.hex()} x{target.hex()}\n"
            requests.append((seed, method, target))
            answers.append(answer)
        names.append(generate(options.routec, folder, seed, manifest))
    driver = folder / "driver.cc"
    driver.write_text("".join(f'#include "{name}_router.cc"\n' for name in names) +
                      DRIVER.format(routers=", ".join(f"{name}::match" for name in names)))
    differences = 0
    for compiler in options.cxx.split(","):
        program = folder / "driver"
        subprocess.run([compiler, *FLAGS, driver, "-o", program], check=True)
        got = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
        printed = got.stdout.splitlines()
        if len(printed) != len(answers):
            sys.exit(f"{compiler}: {len(printed)} answers to {len(answers)} requests")
        for request, answer, line in zip(requests, answers, printed):
            if line != answer:
                differences += 1
                print(f"{compiler}, {request}\n  compiled  {line}\n  expected  {answer}")
    return len(names), len(answers), differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("routec")
    parser.add_argument("differential")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=25, help="tables in one program")
    options = parser.parse_args()
    totals = (0, 0, 0)
    seeds = range(options.seed, options.seed + options.tables)
    for begin in range(0, len(seeds), options.batch):
        with tempfile.TemporaryDirectory() as folder:
            batch = check_batch(options, seeds[begin:begin + options.batch], pathlib.Path(folder))
        totals = tuple(sum(pair) for pair in zip(totals, batch))
    print("%d tables, %d requests, %d differences" % totals)
    return 1 if totals[2] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
