"""A long mixed load: mixed_load.py SERVER [--seconds 600]. 70 % keep-alive GET, 10 % POST of 1 KiB to 1 MiB, 5 % chunked, 5 % broken
requests of http.jsonl, 5 % resets, 5 % slow clients. Fails on a wrong octet, on growing memory or descriptors, and on
answers that become slow.

Memory is looked at when all clients hold still, as bodies under way, a megabyte each, would hide what is to be seen; after what the
server keeps for a crowd was used once; and with a malloc that gives back at once what is free, where it would keep a megabyte
or two, now more and now less. What the server itself holds, and may lose, stays."""
import argparse
import contextlib
import itertools
import json
import multiprocessing
import pathlib
import random
import socket
import statistics
import struct
import time

from reliability import check, figure, finish, resting_descriptors, server
from server_process import read_response, wait_until

BROKEN = [case["send"] if isinstance(case["send"], str) else "".join(case["send"])
          for case in map(json.loads, (pathlib.Path(__file__).parent / "http.jsonl").read_text().splitlines())]
GET = b"GET /user/%d HTTP/1.1\r\nHost: a\r\n\r\n"
SLOPE_LIMIT = 64  # KiB an hour
EAGER_MALLOC = {"MALLOC_TRIM_THRESHOLD_": "4096", "MALLOC_MMAP_THRESHOLD_": "16384"}
CROWD = 64
LONG_RUN = 300  # seconds from which on slopes and latencies mean something
SAMPLES = 100


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


class Client:
    """One process; counts what it did and how long its GETs took."""

    def __init__(self, port, seed, hold, over, barrier):
        self.port, self.source, self.hold, self.over, self.barrier = port, random.Random(seed), hold, over, barrier
        self.requests = self.connections = 0
        self.times, self.errors = [], []
        self.connection, self.rest = None, b""

    def keep(self):
        if self.connection is None:
            self.connection, self.rest = connect(self.port), b""
            self.connections += 1
        return self.connection

    def exchange(self, request, want):
        connection = self.keep()
        connection.sendall(request)
        status, _, body, self.rest = read_response(connection, self.rest)
        self.requests += 1
        if status != 200 or body != want:
            self.errors.append(f"{status} {len(body)} octets for {request[:60]!r}")

    def get(self):
        for _ in range(14):
            number = self.source.randrange(10**9)
            begin = time.perf_counter()
            self.exchange(GET % number, str(number).encode())
            self.times.append(time.perf_counter() - begin)

    def post(self):
        body = self.source.randbytes(1 << self.source.randrange(10, 21))
        self.exchange(b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body) + body, body)

    def chunked(self):
        parts = [self.source.randbytes(self.source.randrange(1, 5000)) for _ in range(self.source.randrange(1, 8))]
        framed = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
        self.exchange(b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + framed, b"".join(parts))

    def broken(self):
        with connect(self.port) as connection, contextlib.suppress(OSError):
            connection.sendall(self.source.choice(BROKEN).encode("latin-1"))
            connection.settimeout(0.05)
            connection.recv(65536)
        self.connections += 1

    def reset(self):
        connection = connect(self.port)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall((GET % 1)[:self.source.randrange(40)])
        connection.close()
        self.connections += 1

    def slow(self):
        with connect(self.port) as connection:
            for octet in GET % 7:
                connection.sendall(bytes([octet]))
                time.sleep(0.0002)
            if read_response(connection)[2] != b"7":
                self.errors.append("slow")
        self.connections += 1
        self.requests += 1

    def run(self, results):
        acts = [self.get] * 10 + [self.post] * 2 + [self.chunked, self.broken, self.reset, self.slow]
        while not self.over.is_set():
            if self.hold.is_set():
                self.barrier.wait()  # all hold still
                self.barrier.wait()  # memory was looked at
            try:
                self.source.choice(acts)()
            except Exception as error:  # whatever it is, it is a failure of the run
                self.errors.append(repr(error))
                self.connection = None
                time.sleep(1)
        tenth = max(len(self.times) // 10, 1)
        p99 = [sorted(part)[int(len(part) * 0.99)] for part in (self.times[:tenth], self.times[-tenth:])]
        results.put((self.requests, self.connections, p99, self.errors))


def slope(samples):
    """Median of the slopes between any two (Theil and Sen), a second: moments in which malloc had less do not count."""
    return statistics.median((y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in itertools.combinations(samples, 2))


def quiet_memory(target, resting, hold, barrier):
    """KiB while no request is under way."""
    hold.set()
    barrier.wait()
    # Of what was reset or closed nothing is left when the descriptors stay as they are.
    kept = barrier.parties - 1
    wait_until(lambda: target.descriptors() <= resting + kept, 10)
    memory = target.private_kib()
    hold.clear()
    barrier.wait()
    return memory


def come_in_a_crowd(target):
    """Fills every buffer that the server keeps for the next client."""
    crowd = [connect(target.port) for _ in range(CROWD)]
    for connection in crowd:
        connection.sendall(GET[:-2] % 7 + b"X: " + b"x" * 30_000)
    for connection in crowd:
        connection.sendall(b"\r\n\r\n")
        check(read_response(connection)[2] == b"7")
        connection.close()


def run_clients(target, resting, options):
    """The clients' results, and memory at times from the start."""
    results, hold, over = multiprocessing.Queue(), multiprocessing.Event(), multiprocessing.Event()
    barrier = multiprocessing.Barrier(options.clients + 1, timeout=60)
    clients = [multiprocessing.Process(target=Client(target.port, seed, hold, over, barrier).run, args=(results,), daemon=True)
               for seed in range(options.clients)]
    for client in clients:
        client.start()
    begin, samples = time.monotonic(), []
    step = options.seconds / SAMPLES
    for i in range(SAMPLES):
        time.sleep(max(begin + (i + 1) * step - time.monotonic(), 0))
        samples.append((time.monotonic() - begin, quiet_memory(target, resting, hold, barrier)))
    over.set()
    rows = [results.get() for _ in clients]
    for client in clients:
        client.join()
    return rows, samples


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--samples", action="store_true", help="print memory at each look")
    options = parser.parse_args()
    with server(env=EAGER_MALLOC) as target:
        resting = resting_descriptors(target)
        come_in_a_crowd(target)
        rows, samples = run_clients(target, resting, options)
        wait_until(lambda: target.descriptors() <= resting, 10)
        descriptors = target.descriptors()
    if options.samples:
        print(*(f"{at:.0f} s {memory} KiB" for at, memory in samples), sep="\n")
    samples = samples[len(samples) // 6:]  # what comes before is the warm-up
    requests, connections = (sum(row[i] for row in rows) for i in (0, 1))
    first, last = (max(row[2][i] for row in rows) * 1e3 for i in (0, 1))
    errors = [error for row in rows for error in row[3]]
    check(not errors, errors[:5])
    figure("a mixed load: 0 wrong octets, 0 errors", f"0 of {requests} requests, {connections} connections in {options.seconds} s", True)
    figure(f"descriptors at the end <= {resting}", descriptors, descriptors <= resting)
    if options.seconds >= LONG_RUN:
        growth = slope(samples) * 3600
        figure(f"memory's slope <= {SLOPE_LIMIT} KiB/h", f"{growth:+.0f} KiB/h, {samples[-1][1]} KiB at the end", growth <= SLOPE_LIMIT)
        figure("p99 of the last tenth <= 1.1 times the first's", f"{last:.2f} ms, {first:.2f} ms at first", last <= first * 1.1)
    finish()


main()
