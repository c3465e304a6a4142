#!/usr/bin/env python3
"""Servers side by side: requests/s, latency, CPU time a request, memory. Interleaved rounds, medians.

  bench.py --routec HELLO_SERVER --limit LIMIT_SERVER [--h2o H2O_SERVER] [--go PEERS] [--nginx] [--rounds 5] [--seconds 3]

Every server has one thread and one core (--server-core), wrk the other. CPU time is the kernel's: the sum of
/proc/PID/task/*/schedstat before and after a run, divided by the requests answered in it."""
import argparse
import json
import os
import pathlib
import re
import resource
import signal
import socket
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).parent
MIX = ["/", "/simple?name=bob", "/simple/alice", "/v1/id/7"]
SCENARIOS = {  # name: (connections, pipelined requests of a batch)
    "c100": (100, ["/"]),
    "c1000": (1000, ["/"]),
    "p16": (100, ["/"] * 16),
    "p24": (100, ["/"] * 24),
    "mix16": (100, MIX * 4),
}


def script(paths):
    """A wrk script that sends the batch; "" for a single request, which wrk sends by itself."""
    if len(paths) == 1:
        return ""
    lines = "\n".join(f'  wrk.format("GET", "{path}"),' for path in paths)
    return f"init = function(args)\n  batch = table.concat({{\n{lines[:-1]}\n  }})\nend\nrequest = function() return batch end\n"


class Server:
    def __init__(self, name, command, port, core):
        self.name, self.port = name, port
        env = {**os.environ, "GOMAXPROCS": "1"}
        self.process = subprocess.Popen(["taskset", "-c", str(core), *command], stdout=subprocess.DEVNULL, env=env)
        self.wait()
        time.sleep(0.3)
        self.rss_at_start = self.status("VmRSS")

    def wait(self):
        end = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > end:
                    raise SystemExit(f"{self.name} does not listen on {self.port}")
                time.sleep(0.05)

    def status(self, key):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{key}:\s+(\d+)", text, re.M)[1])

    def private_kib(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return sum(int(n) for n in re.findall(r"^Private_(?:Clean|Dirty):\s+(\d+)", text, re.M))

    def cpu_nanoseconds(self):
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(12)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def microseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def run_wrk(server, connections, paths, seconds, core):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as lua:
        lua.write(script(paths))
        lua.flush()
        command = ["taskset", "-c", str(core), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"]
        if len(paths) > 1:
            command += ["-s", lua.name]
        before = server.cpu_nanoseconds()
        output = subprocess.run([*command, f"http://127.0.0.1:{server.port}{paths[0]}"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout
        used = server.cpu_nanoseconds() - before
    requests = int(re.search(r"(\d+) requests in", output)[1])
    errors = re.findall(r"(?:Non-2xx.*|Socket errors.*)", output)
    latency = {p: microseconds(re.search(rf"^ +{p}% +(\S+)$", output, re.M)[1]) for p in (50, 99)}
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    return {"rate": rate, "p50": latency[50], "p99": latency[99], "cpu": used / 1e3 / max(requests, 1), "errors": errors}


def idle_connections(server, count):
    """KiB of private memory for each of `count` connections after a request on each."""
    before = server.private_kib()
    connections = []
    try:
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            connection.recv(4096)
            connections.append(connection)
        time.sleep(1)
        return (server.private_kib() - before) / count
    finally:
        for connection in connections:
            connection.close()


def commands(options, directory):
    """(name, port, command) of each server asked for."""
    port = iter(range(options.port, options.port + 100))

    def entry(name, command):
        number = next(port)
        return name, number, [word.replace("PORT", str(number)) for word in command]

    yield entry("limit", [options.limit, "PORT"])
    yield entry("routec", [options.routec, "--port", "PORT"])
    for kind in ("fasthttp", "net", "httprouter", "gin") if options.go else ():
        yield entry(kind, [options.go, kind, "PORT"])
    if options.h2o:
        yield entry("h2o", [options.h2o, "PORT"])
    if options.nginx:
        name, number, command = entry("nginx", ["nginx", "-p", directory, "-c", f"{directory}/nginx.conf"])
        config = (HERE / "nginx.conf.in").read_text().replace("@DIR@", directory).replace("@PORT@", str(number))
        pathlib.Path(directory, "nginx.conf").write_text(config)
        yield name, number, command


def measure(options):
    with tempfile.TemporaryDirectory() as directory:
        servers = [Server(name, command, port, options.server_core)
                   for name, port, command in commands(options, directory)]
        results = {server.name: {scenario: [] for scenario in options.scenarios} for server in servers}
        try:
            for _ in range(options.rounds):
                for scenario in options.scenarios:
                    for server in servers:
                        results[server.name][scenario].append(
                            run_wrk(server, *SCENARIOS[scenario], options.seconds, options.client_core))
            memory = {server.name: {"start_kib": server.rss_at_start, "after_kib": server.status("VmRSS"),
                                    "idle_kib": idle_connections(server, options.idle) if options.idle else None}
                      for server in servers}
        finally:
            for server in servers:
                server.stop()
    return results, memory


def report(results, memory, scenarios):
    median = lambda runs, key: statistics.median(run[key] for run in runs)
    for scenario in scenarios:
        print(f"\n{scenario:8} {'requests/s':>12} {'p50 us':>9} {'p99 us':>9} {'CPU us/req':>11} {'x limit':>8}")
        floor = median(results["limit"][scenario], "cpu")
        for name, runs in results.items():
            cpu = median(runs[scenario], "cpu")
            print(f"{name:8} {median(runs[scenario], 'rate'):12.0f} {median(runs[scenario], 'p50'):9.0f} "
                  f"{median(runs[scenario], 'p99'):9.0f} {cpu:11.3f} {cpu / floor:8.2f}")
            for run in runs[scenario]:
                if run["errors"]:
                    print("   ", name, run["errors"])
    print(f"\n{'memory':10} {'start KiB':>10} {'after KiB':>10} {'KiB/idle connection':>20}")
    for name, row in memory.items():
        idle = "-" if row["idle_kib"] is None else f"{row['idle_kib']:.2f}"
        print(f"{name:10} {row['start_kib']:10} {row['after_kib']:10} {idle:>20}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--routec", required=True)
    parser.add_argument("--limit", required=True)
    parser.add_argument("--h2o")
    parser.add_argument("--go")
    parser.add_argument("--nginx", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--idle", type=int, default=0, help="connections for the memory of an idle one")
    parser.add_argument("--port", type=int, default=18080)
    parser.add_argument("--server-core", type=int, default=0)
    parser.add_argument("--client-core", type=int, default=1)
    parser.add_argument("--scenarios", nargs="+", default=list(SCENARIOS), choices=list(SCENARIOS))
    parser.add_argument("--json", help="write all runs to this file")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    results, memory = measure(options)
    report(results, memory, options.scenarios)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"results": results, "memory": memory}, indent=1))


main()
