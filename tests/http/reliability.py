"""What the tests of what a server must stand share. They are called TEST.py SERVER NAME [SHIM], and have two sizes: a short
one, for each change and beside other work, with short deadlines; and with ROUTEC_TEST_FULL=1 the one that is
demanded, with the server's defaults, for a machine that does nothing else. ROUTEC_TEST_SANITIZED=1 says that time
and memory mean nothing. ROUTEC_TEST_THREADS=N gives servers N threads."""
import collections
import contextlib
import itertools
import multiprocessing
import os
import resource
import select
import sys
import time

from server_process import ServerProcess, read_response, running

SERVER = sys.argv[1]
SHIM = sys.argv[3] if len(sys.argv) > 3 else None
FULL = bool(os.environ.get("ROUTEC_TEST_FULL"))
MEASURE = not os.environ.get("ROUTEC_TEST_SANITIZED")
THREADS = os.environ.get("ROUTEC_TEST_THREADS")
GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
missed = []


def sized(short, full):
    return full if FULL else short


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)))


def figure(demand, measured, met):
    """A row of the table that `./dev soak` prints. What is not met fails the test at its end."""
    print(f"| {demand} | {measured} | {'ok' if met else 'short'} |", flush=True)
    if MEASURE and not met:
        missed.append(demand)


def command(options):
    threads = ["--threads", THREADS] if THREADS and "--threads" not in options else []
    return [SERVER, *threads, *map(str, options)]


def start(*options, **more):
    """A server that the caller stops."""
    return ServerProcess(command(options), **more)


def server(*options, **more):
    return running(command(options), **more)


def with_faults(kind, *options, **more):
    return server(*options, env=faults(kind), **more)


def faults(kind):
    return {"LD_PRELOAD": SHIM, "ROUTEC_FAULTS": kind}


def get(path, extra=""):
    return f"GET {path} HTTP/1.1\r\nHost: a\r\n{extra}\r\n".encode()


def post(path, body, extra=""):
    return f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n{extra}\r\n".encode() + body


def exchange(connection, request, buffer=b""):
    connection.sendall(request)
    return read_response(connection, buffer)


def counter(target, name):
    """One of the server's counters. It takes a connection."""
    with target.connect() as connection:
        text = exchange(connection, get("/metrics"))[2].decode()
    return int(text.split(f"\n{name} ")[-1].split("\n")[0])


def resting_descriptors(target):
    """Those of a server that serves, without connections."""
    with target.connect() as connection:
        exchange(connection, GET)
        return target.descriptors() - 1


def read_to_end(connection, timeout=10):
    """What comes until the end; a reset counts as an end. None if there is none in time."""
    connection.settimeout(timeout)
    data = b""
    try:
        while chunk := connection.recv(65536):
            data += chunk
    except ConnectionResetError:
        pass
    except TimeoutError:
        return None
    return data


def close_all(connections):
    for connection in connections:
        connection.close()


def warm_up(target):
    """Until memory is what it stays at: of a request, then of some time under load."""
    end = time.monotonic() + sized(0, 30)
    body = post("/echo", b"w" * (1 << 20))
    while True:
        with target.connect() as connection:
            exchange(connection, GET)
            exchange(connection, body)
        if time.monotonic() >= end:
            return


class Probe:
    """Asks at a constant rate whether or not there are answers yet, over several connections, and times answers from when it meant
    to ask."""

    CONNECTIONS = 8

    def __init__(self, target, rate):
        self.pause, self.times = 1 / rate, []
        self.connections = [target.connect() for _ in range(self.CONNECTIONS)]
        self.poller, self.asked, self.received = select.epoll(), {}, {}
        for connection in self.connections:
            connection.sendall(GET)
            self.answer = connection.recv(4096)
            fd = connection.fileno()
            self.asked[fd], self.received[fd] = collections.deque(), 0
            self.poller.register(fd, select.EPOLLIN)
        self.by_fd = {connection.fileno(): connection for connection in self.connections}

    def receive(self, timeout):
        for fd, _ in self.poller.poll(timeout):
            data = self.by_fd[fd].recv(65536)
            check(data, "a connection was closed")
            check(self.received[fd] % len(self.answer) or data.startswith(self.answer[:15]), data)
            self.received[fd] += len(data)
            check(self.received[fd] % len(self.answer) or data.endswith(self.answer[-5:]), data)
            answered = self.received[fd] // len(self.answer)
            self.received[fd] %= len(self.answer)
            now = time.monotonic()
            self.times += (now - self.asked[fd].popleft() for _ in range(answered))

    def run(self, stop):
        planned = time.monotonic()
        for connection in itertools.cycle(self.connections):
            if stop.is_set():
                break
            while (left := planned - time.monotonic()) > 0:
                self.receive(left)
            connection.sendall(GET)
            self.asked[connection.fileno()].append(planned)
            planned += self.pause
        end = time.monotonic() + 10
        while any(self.asked.values()) and time.monotonic() < end:
            self.receive(1)
        check(not any(self.asked.values()), "answers are missing")


def _probe(target, rate, stop, results):
    try:
        client = Probe(target, rate)
        results.send(None)
        client.run(stop)
        results.send((client.times, []))
    except (OSError, AssertionError) as error:
        results.send(([], [repr(error)]))


@contextlib.contextmanager
def probe(target):
    """A well-behaved client, a process of its own, beside a hostile one: no error, and answers in time."""
    limit = sized(1.0, 0.01)
    stop = multiprocessing.Event()
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_probe, args=(target, sized(100, 1000), stop, there), daemon=True)
    process.start()
    try:
        check(here.poll(10), "the probe does not start")
        failed = here.recv()
        check(failed is None, "probe:", failed)
        if FULL:  # a hostile client has a processor of its own, and should not take the server's
            os.nice(10)
        yield
    finally:
        stop.set()
        times, errors = here.recv() if here.poll(20) else ([], ["the probe hangs"])
        process.join(1)
    check(not errors, "probe:", errors[:3])
    p99 = sorted(times)[int(len(times) * 0.99)] if times else 0
    figure(f"a healthy client's p99 < {limit * 1e3:.0f} ms, no error", f"{p99 * 1e3:.1f} ms of {len(times)}, no error", p99 < limit)


def raise_descriptor_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def finish():
    if missed:
        sys.exit(f"not met: {'; '.join(missed)}")


def run(tests):
    """Runs the function of that name; `tests` are a module's globals."""
    raise_descriptor_limit()
    tests[sys.argv[2]]()
    finish()
