"""Serves the 239 routes of the GitHub API, and asks each for its name: `github_test.py ROUTEC PYTHON CXX INCLUDE RUNTIME`."""

import http.client
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77  # known to CMakeLists.txt
routec, python, cxx, include, runtime = sys.argv[1:6]
ROUTES = pathlib.Path(__file__).resolve().parents[3] / "shared" / "routes" / "github_full.txt"
VALUES = {"number": "1347", "id": "42", "sha": "6dcb09b5b57875f3", "path": "docs/read%20me.md"}


def read_routes():
    """(method, pattern): `:x` is `{x}`, `*x` is `{x...}`."""
    for line in ROUTES.read_text().splitlines():
        method, path = line.split()
        yield method, re.sub(r"\*(\w+)", r"{\1...}", re.sub(r":(\w+)", r"{\1}", path))


def handler_source(index, pattern):
    params = "".join(", std::string_view" for _ in re.findall(r"\{", pattern))
    return (
        f"  routec::Response r{index}(const routec::Request&{params}) override"
        f' {{ return routec::Response::text("r{index}"); }}\n'
    )


def build(work, routes):
    manifest = "routec: 1\nnamespace: github\nroutes:\n"
    manifest += "".join(f"  {m} {p}: r{i}\n" for i, (m, p) in enumerate(routes))
    (work / "github.yaml").write_text(manifest)
    main = '#include <routec/server.h>\n#include "github_router.h"\nstruct Service : github::Handlers {\n'
    main += "".join(handler_source(i, p) for i, (_, p) in enumerate(routes))
    main += "};\nint main(int argc, char** argv) {\n  Service service;\n"
    main += "  return routec::run_main(argc, argv, github::make_router(service));\n}\n"
    (work / "main.cc").write_text(main)
    subprocess.run(
        [routec, "github.yaml", "-o", "gen", "--python", python, "-Wno-overlap"], cwd=work, check=True
    )
    subprocess.run(
        [cxx, "-std=c++20", "-I", include, "-I", "gen", "main.cc", "gen/github_router.cc", runtime,
         "-pthread", "-o", "server"],
        cwd=work, check=True,
    )


def ask(port, routes):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    right = 0
    for index, (method, pattern) in enumerate(routes):
        target = re.sub(r"\{(\w+)[.]*\}", lambda m: VALUES.get(m.group(1), "octo-" + m.group(1)), pattern)
        connection.request(method, target, body=b"" if method in ("POST", "PUT", "PATCH") else None)
        answer = connection.getresponse()
        body = answer.read().decode()
        if answer.status == 200 and body == f"r{index}":
            right += 1
        else:
            print(f"{method} {target}: {answer.status} {body!r}, wanted r{index} ({pattern})")
    return right


if not ROUTES.exists():
    print(f"skipped: there is no {ROUTES}")
    sys.exit(SKIPPED)
routes = list(read_routes())
with tempfile.TemporaryDirectory(prefix="routec github ") as folder:
    build(pathlib.Path(folder), routes)
    server = subprocess.Popen([folder + "/server", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        right = ask(port, routes)
    finally:
        server.terminate()
        server.wait(20)
print(f"{right} of {len(routes)} routes answered by their own name")
sys.exit(right != len(routes))
