"""What a person meets at the prompt: `command_line_test.py ROUTEC PYTHON`."""

import pathlib
import signal
import subprocess
import sys
import tempfile
import time

routec, python = sys.argv[1:3]
MANIFEST = "routec: 1\nroutes:\n  GET /a: a\n  GET /b: b\n"
failures = 0


def check(name, passed, detail=""):
    global failures
    failures += not passed
    print(f"{'ok' if passed else 'FAILED'}: {name} {'' if passed else detail}")


def run(*arguments):
    return subprocess.run([routec, *map(str, arguments)], capture_output=True, text=True)


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def is_running(pid):
    try:
        state = pathlib.Path("/proc", pid, "stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def test_signals(work):
    """Nothing that routec started outlives it, not even what those programs started."""
    pids = work / "pids"
    endless = work / "endless"
    endless.write_text(f"#!/bin/sh\nsleep 120 &\necho $$ $! >> '{pids}'\nwait\n")
    endless.chmod(0o755)
    for option in ("--gperf", "--python"):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            pids.write_text("")
            process = subprocess.Popen([routec, work / "m.yaml", "-o", work / "gen", option, endless])
            started = wait_for(lambda: pids.read_text().endswith("\n"))
            process.send_signal(number)
            check(f"{option}: {number.name} ends routec", process.wait(20) == -number)
            children = pids.read_text().split()
            ended = wait_for(lambda: not any(map(is_running, children)))
            check(f"{option}: {number.name} ends its children", started and ended, children)


def test_ignored_signal(work):
    """As nohup asks for."""
    pids = work / "pids"
    pids.write_text("")
    slow = work / "slow"
    slow.write_text(f"#!/bin/sh\necho >> '{pids}'\nsleep 0.5\nexec gperf \"$@\"\n")
    slow.chmod(0o755)
    command = ["nohup", routec, work / "m.yaml", "-o", work / "gen", "--gperf", slow]
    process = subprocess.Popen([*command, "--python", python], stderr=subprocess.DEVNULL)
    wait_for(lambda: pids.read_text() != "")
    process.send_signal(signal.SIGHUP)
    check("an ignored signal stays ignored", process.wait(30) == 0)


def test_templates(work):
    for path in (work / "nowhere", work / "m.yaml"):
        result = run(work / "m.yaml", "-o", work / "none", "--templates", path, "--python", python)
        named = result.returncode == 3 and str(path) in result.stderr
        check(f"--templates {path.name} is refused", named, result.stderr)
    check("and nothing is written", not (work / "none").exists())


def test_options_of_stub(work):
    for option in ("--depfile=d", "--stamp=s", "--parts=2", "--gperf=gperf", "--print-model"):
        result = run("stub", work / "m.yaml", "-o", work / "none", option)
        check(f"stub does not take {option}", result.returncode == 2, result.stderr)


def test_stub_speaks(work):
    """What is missing is the answer, not chatter."""
    stub = ["stub", work / "m.yaml", "-o", work / "stub", "--python", python, "--quiet"]
    check("a quiet stub tells nothing of what it wrote", run(*stub).stdout == "")
    source = work / "stub" / "handlers.cc"
    source.write_text(source.read_text().replace("501", "200", 1))
    (work / "m.yaml").write_text(MANIFEST + "  GET /c: c\n")
    result = run(*stub)
    told = result.returncode == 0 and "Service::c(" in result.stdout and "Service::a(" not in result.stdout
    check("but what an edited file lacks", told, result.stdout + result.stderr)


with tempfile.TemporaryDirectory(prefix="routec command line ") as folder:
    pathlib.Path(folder, "m.yaml").write_text(MANIFEST)
    for test in (test_signals, test_ignored_signal, test_templates, test_options_of_stub,
                 test_stub_speaks):
        test(pathlib.Path(folder))
print(f"{failures} failed")
sys.exit(failures != 0)
