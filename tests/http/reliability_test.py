"""How a server stands hostile clients, exhaustion, faults and its own end: reliability_test.py SERVER NAME [SHIM].
Short forms with short deadlines; the sizes below are multiplied by ROUTEC_TEST_SCALE (./dev soak: 10)."""
import contextlib
import os
import random
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from server_process import ServerProcess, read_response, running, wait_until

SERVER = sys.argv[1]
SHIM = sys.argv[3] if len(sys.argv) > 3 else None
SCALE = int(os.environ.get("ROUTEC_TEST_SCALE", "1"))
# Sanitizers make memory and time mean something else.
MEASURE = not os.environ.get("ROUTEC_TEST_SANITIZED")
# The demanded times hold on a machine that does nothing else; beside other tests they are not judged so sharply.
STRICT = bool(os.environ.get("ROUTEC_TEST_STRICT"))
LONGEST_ANSWER, LONGEST_FAILURE = (0.01, 0.1) if STRICT else (0.5, 1.0)
GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


def server(*options, **more):
    return running([SERVER, *map(str, options)], **more)


def get(path, extra=""):
    return f"GET {path} HTTP/1.1\r\nHost: a\r\n{extra}\r\n".encode()


def post(path, body, extra=""):
    return f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n{extra}\r\n".encode() + body


def exchange(connection, request, buffer=b""):
    connection.sendall(request)
    return read_response(connection, buffer)


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)))


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


@contextlib.contextmanager
def probe(target, rate=200):
    """A well-behaved client beside a hostile one: no error, and answers in time."""
    started, stop, times, errors = threading.Event(), threading.Event(), [], []

    def run():
        try:
            connection = target.connect()
            rest = b""
            while not stop.is_set():
                begin = time.monotonic()
                status, _, body, rest = exchange(connection, GET, rest)
                times.append(time.monotonic() - begin)
                started.set()
                if (status, body) != (200, b"hello"):
                    errors.append((status, body))
                time.sleep(1 / rate)
        except OSError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    started.wait(5)
    try:
        yield
    finally:
        stop.set()
        thread.join()
    check(not errors, "probe:", errors[:3])
    p99 = sorted(times)[int(len(times) * 0.99)]
    print(f"probe: {len(times)} requests, p99 {p99 * 1e3:.1f} ms")
    check(not MEASURE or p99 < LONGEST_ANSWER, "probe p99", p99)


def close_all(connections):
    for connection in connections:
        connection.close()


# ---- Memory and the processor at rest -----------------------------------------------------------

def idle_memory():
    count = 2000 * SCALE
    with server() as target:
        exchange(target.connect(), GET)
        before = target.private_kib()
        connections = []
        for _ in range(count):
            connection = target.connect()
            exchange(connection, GET)
            connections.append(connection)
        each = (target.private_kib() - before) / count
        cpu = target.cpu_seconds()
        time.sleep(2)
        cpu = (target.cpu_seconds() - cpu) / 2
        close_all(connections)
        wait_until(lambda: target.private_kib() - before <= 1024)
        left = target.private_kib() - before
        print(f"{each:.2f} KiB a connection, {cpu:.1%} of a core, {left} KiB left")
        check(not MEASURE or (each <= 1 and cpu < 0.02 and left <= 1024 + before // 10), each, cpu, left)


def buffers_return():
    count = 500 * SCALE
    constant = 3 << 10  # pooled blocks, and what malloc keeps of handlers' bodies, whatever the count
    head = b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 15_000
    body = post("/echo", b"b" * (1 << 20))
    with server() as target:
        exchange(target.connect(), GET)
        before = target.private_kib()
        connections = [target.connect() for _ in range(count)]
        for connection in connections:
            connection.sendall(head)
        print(f"{(target.private_kib() - before) / count:.1f} KiB a connection with an unfinished head")
        for connection in connections:
            check(exchange(connection, b"\r\n\r\n")[0] == 200)
            check(len(exchange(connection, body)[2]) == 1 << 20)
        wait_until(lambda: target.private_kib() - before <= constant + count, 1)
        left = target.private_kib() - before
        print(f"{left} KiB more than before for {count} connections")
        check(not MEASURE or left <= constant + count, left)
        close_all(connections)


def connect_cycles():
    count = 5000 * SCALE
    with server() as target:
        def cycle(times):
            for _ in range(times):
                with target.connect() as connection:
                    exchange(connection, GET)
        cycle(count // 4)
        wait_until(lambda: target.descriptors() < 12)
        descriptors, memory = target.descriptors(), target.private_kib()
        cycle(count)
        check(wait_until(lambda: target.descriptors() <= descriptors), "descriptors leak")
        grown = target.private_kib() - memory
        print(f"{grown} KiB more after {count} connections")
        check(not MEASURE or grown <= 1024, grown)


# ---- Hostile clients ----------------------------------------------------------------------------

def slow_head():
    with server("--head-timeout", 1000) as target, probe(target):
        begin = time.monotonic()
        connections = [target.connect() for _ in range(200 * SCALE)]
        sent = iter(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 100)
        while time.monotonic() < begin + 2.5:
            octet = bytes([next(sent)])
            for connection in connections:
                with contextlib.suppress(OSError):
                    connection.send(octet)
            time.sleep(0.1)
        answers = [read_to_end(connection, 2) for connection in connections]
        check(all(answer is not None and (not answer or b" 408 " in answer) for answer in answers), answers[:3])
        check(sum(b" 408 " in answer for answer in answers) > len(answers) * 0.9)


def slow_body():
    with server("--body-grace", 1000, "--linger-timeout", 500) as target, probe(target):
        begin = time.monotonic()
        length = target.connect()
        length.sendall(b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        chunked = target.connect()
        chunked.sendall(b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        while time.monotonic() < begin + 4:
            with contextlib.suppress(OSError):
                length.send(b"x")
            with contextlib.suppress(OSError):
                chunked.send(b"1\r\nx\r\n")
            time.sleep(0.2)
        check(b" 408 " in read_to_end(length, 1), "by length")
        check(b" 408 " in read_to_end(chunked, 1), "by chunks")


def slow_reader():
    count = 30 * SCALE
    with server("--write-timeout", 2000) as target, probe(target):
        before = target.private_kib()
        connections = [target.connect(receive_buffer=1024) for _ in range(count)]
        requests = get("/octets/1000") * 10_000
        for connection in connections:
            connection.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                connection.send(requests)
        time.sleep(1)
        each = (target.private_kib() - before) / count
        print(f"{each:.0f} KiB a connection that does not read")
        check(not MEASURE or each <= 132, each)
        check(wait_until(lambda: target.descriptors() < 12, 6), "not closed", target.descriptors())
        close_all(connections)


def slow_but_steady_reader():
    """A client that takes a large answer slowly, but above the least rate, gets all of it."""
    with server("--write-timeout", 1000) as target:
        connection = target.connect(receive_buffer=4096)
        connection.sendall(get("/octets/8000000"))
        received, end = 0, time.monotonic() + 4
        while time.monotonic() < end:
            received += len(connection.recv(4096))
            time.sleep(0.01)
        while received < 8_000_000:
            data = connection.recv(1 << 20)
            check(data, "cut after", received)
            received += len(data)


def silent_connect():
    with server("--head-timeout", 1000) as target, probe(target):
        before = target.private_kib()
        connections = [target.connect() for _ in range(500 * SCALE)]
        begin = time.monotonic()
        each = (target.private_kib() - before) / len(connections)
        check(not MEASURE or each <= 1, each)
        check(read_to_end(connections[-1], 3) == b"")
        check(time.monotonic() - begin > 0.9)
        check(all(read_to_end(connection, 1) == b"" for connection in connections))


def reset_storm():
    count = 500 * SCALE

    def cut(target, sent, reads):
        connection = target.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if sent:
            connection.sendall(sent)
        if reads:
            connection.recv(10)
        connection.close()

    with server() as target, probe(target):
        wait_until(lambda: target.descriptors() > 9)
        descriptors = target.descriptors()
        points = [(b"", False), (GET[:10], False), (post("/echo", b"x" * 100)[:-50], False), (GET, False),
                  (get("/octets/3000000"), True), (GET, True), (get("/stream-endless"), True)]
        for _ in range(count):
            for sent, reads in points:
                cut(target, sent, reads)
        check(wait_until(lambda: target.descriptors() <= descriptors), "descriptors", target.descriptors())


def chunk_abuse():
    top = b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    def flood(target, begin, piece, octets=4 << 20):
        """The status, and how much was taken before the server refused."""
        connection, sent = target.connect(), 0
        connection.sendall(begin)
        try:
            while sent < octets and not select.select([connection], [], [], 0)[0]:
                sent += connection.send(piece)
            return read_response(connection)[0]
        except (BrokenPipeError, ConnectionResetError):
            return None

    with server() as target, probe(target):
        check(flood(target, top + b"5;", b"a" * 1000) in (400, 431), "extension")
        check(flood(target, top, b"1;" + b"e" * 100 + b"\r\nx\r\n") in (400, 431), "extensions")
        check(flood(target, top + b"0\r\n", b"X: " + b"y" * 100 + b"\r\n") in (400, 431), "trailers")
        check(flood(target, b"", b"\r\n" * 500) == 400, "empty lines")
        check(flood(target, b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 100) == 431, "fields")
        check(flood(target, b"GET /", b"a" * 1000) == 414, "target")
        size = 1 << 20
        connection, cpu = target.connect(), target.cpu_seconds()
        body = exchange(connection, top + b"1\r\nx\r\n" * size + b"0\r\n\r\n")[2]
        cpu = target.cpu_seconds() - cpu
        check(body == b"x" * size)
        print(f"1 MiB of one-octet chunks: {cpu * 1e3:.0f} ms")
        check(not MEASURE or cpu <= 0.15, cpu)


def parse_cost():
    def cost(target, request, times=2000):
        """CPU seconds a request."""
        connection, rest = target.connect(), b""
        before = target.cpu_seconds()
        for _ in range(times // 50):
            connection.sendall(request * 50)
            for _ in range(50):
                status, _, _, rest = read_response(connection, rest)
                check(status in (200, 404, 414), status)
        return (target.cpu_seconds() - before) / times

    def fields(count):
        return get("/", "".join(f"X-{i:03}-{'abcdefgh' * 10}: {'v' * 100}\r\n" for i in range(count)))

    shapes = {"fields": lambda n: fields(n // 21), "pairs": lambda n: get("/query?" + "&".join("k=v" for _ in range(n // 2))),
              "segments": lambda n: get("/static" + "/a" * (n // 8)), "escapes": lambda n: get("/static/" + "%41" * n)}
    with server() as target:
        for name, shape in shapes.items():
            half, full = cost(target, shape(1000)), cost(target, shape(2000))
            print(f"{name}: {half * 1e6:.1f} us, twice the size {full * 1e6:.1f} us")
            check(not MEASURE or full <= 100e-6, name, full)
            check(not MEASURE or full < 2.5 * half + 10e-6, name, "grows", half, full)


# ---- Exhaustion ---------------------------------------------------------------------------------

def descriptors_exhausted():
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    with server(preexec_fn=limit) as target, probe(target):
        connections = [target.connect() for _ in range(200)]
        time.sleep(0.5)
        cpu = target.cpu_seconds()
        time.sleep(1)
        cpu = target.cpu_seconds() - cpu
        print(f"{cpu:.1%} of a core while descriptors are out")
        check(not MEASURE or cpu < 0.2, cpu)
        close_all(connections[:150])
        served = connections[150:]
        for connection in served:
            check(exchange(connection, GET)[0] == 200)
            connection.close()


def accept_errors():
    with server(env={"LD_PRELOAD": SHIM, "ROUTEC_FAULTS": "accept"}) as target:
        for _ in range(40):
            with target.connect() as connection:
                check(exchange(connection, GET)[0] == 200)


def allocation_failure():
    with server(env={"LD_PRELOAD": SHIM, "ROUTEC_FAULTS": "memory"}) as target:
        mix = [GET, get("/user/" + "x" * 100), post("/echo", b"y" * 3000), get("/octets/100000"), get("/nope"),
               get("/query?name=" + "z" * 50), get("/stream/3"), get("/events"), get("/metrics")]
        statuses = {}
        for i in range(3000 * SCALE):
            with target.connect() as connection:
                request = mix[i % len(mix)]
                try:
                    connection.sendall(request[:40])
                    connection.sendall(request[40:])
                    status = int(connection.recv(65536).split(b" ")[1])
                except (OSError, IndexError):
                    status = "closed"
                statuses[status] = statuses.get(status, 0) + 1
        print(statuses)
        check(set(statuses) <= {200, 404, 500, 503, "closed"}, statuses)
        check(statuses[200] > statuses["closed"] > 0, statuses)


def paused():
    """While the process stands still connections wait in the backlog; then all are served, none timed out."""
    with server("--head-timeout", 500, "--idle-timeout", 500) as target:
        def overflows():
            lines = [line.split() for line in open("/proc/net/netstat") if line.startswith("TcpExt:")]
            return int(dict(zip(*lines))["ListenOverflows"])
        before = overflows()
        waiting = target.connect()
        waiting.sendall(GET[:10])
        time.sleep(0.1)
        os.kill(target.pid, signal.SIGSTOP)
        connections = [target.connect() for _ in range(1000 * SCALE)]
        for connection in connections:
            connection.sendall(GET)
        waiting.sendall(GET[10:])
        time.sleep(2)
        os.kill(target.pid, signal.SIGCONT)
        check(read_response(waiting)[0] == 200, "the head that came in during the pause")
        for connection in connections:
            check(read_response(connection)[0] == 200)
        check(overflows() == before, "overflows")
        close_all(connections)


def max_connections():
    with server("--max-connections", 20) as target:
        connections = [target.connect() for _ in range(20)]
        for connection in connections:
            check(exchange(connection, GET)[0] == 200)
        late = target.connect()
        late.sendall(GET)
        check(not select.select([late], [], [], 0.3)[0], "served beyond the limit")
        connections[0].close()
        check(read_response(late)[0] == 200)


def max_buffered():
    with server("--max-buffered", 4 << 20) as target:
        connections = [target.connect() for _ in range(1000)]
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 15_000)
        time.sleep(0.5)
        memory = target.private_kib()
        print(f"{memory} KiB")
        check(not MEASURE or memory < 8 * 1024, memory)
        close_all(connections)
        wait_until(lambda: target.descriptors() < 12)
        check(exchange(target.connect(), GET)[0] == 200)


def log_blocked():
    """The log's reader never reads: requests go on, records are dropped and counted."""
    command = [SERVER, "--access-log", "1"]
    target = ServerProcess(command, stderr=subprocess.PIPE)
    try:
        connection, rest = target.connect(), b""
        for _ in range(200):
            connection.sendall(GET * 100)
            for _ in range(100):
                status, _, _, rest = read_response(connection, rest)
                check(status == 200)
        metrics = exchange(connection, get("/metrics"), rest)[2].decode()
        dropped = int(metrics.split("routec_access_records_dropped_total ")[-1].split("\n")[0])
        check(dropped > 0, metrics)
        begin = time.monotonic()
        check(target.stop() == 0)
        check(time.monotonic() - begin < 3, "the end waits for the log")
    finally:
        target.process.kill()
        target.process.stderr.close()


def access_log():
    target = ServerProcess([SERVER, "--access-log", "1"], stderr=subprocess.PIPE)
    connection = target.connect()
    for request in (GET, get("/user/7"), get("/nope"), get("/octets/300000")):
        exchange(connection, request)
    connection.sendall(b"BAD\r\n\r\n")
    read_to_end(connection)
    check(target.stop() == 0)
    lines = [line.split(" ") for line in target.process.stderr.read().splitlines()]
    target.process.stderr.close()
    check([line[:3] for line in lines] == [["/", "200", "5"], ["/user/{id}", "200", "1"], ["", "404", "10"],
                                           ["/octets/{count}", "200", "300000"], ["", "400", "12"]], lines)
    check(all(0 <= int(line[3]) < 5_000_000 for line in lines), lines)


# ---- Partial input and output -------------------------------------------------------------------

def tiny_io():
    """Reads and writes of one octet, with EAGAIN and EINTR between: the answers to the cases are the same. Those
    with a flood of octets are left out: at one a read they outlast the runner's patience."""
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as cases, server(
            env={"LD_PRELOAD": SHIM, "ROUTEC_FAULTS": "io"}) as target:
        cases.writelines(line for line in open(f"{here}/http.jsonl") if len(line) < 15_000)
        cases.flush()
        run = subprocess.run([sys.executable, f"{here}/run_http.py", target.host, str(target.port), cases.name,
                              "--jobs", "8"], stdout=subprocess.PIPE, text=True)
        print(run.stdout, end="")
        check(run.returncode == 0)


def tiny_bodies():
    source = random.Random(3)
    with server(env={"LD_PRELOAD": SHIM, "ROUTEC_FAULTS": "io"}) as target:
        connection, rest = target.connect(), b""
        for i in range(60 * SCALE):
            body = source.randbytes(source.choice([0, 1, 100, 5000, 20_000]))
            _, _, echoed, rest = exchange(connection, post("/echo", body), rest)
            check(echoed == body, i, len(body))


def bodies():
    source = random.Random(5)
    with server() as target:
        connection, rest = target.connect(), b""
        for i in range(300 * SCALE):
            body = source.randbytes(source.randrange(1 << source.randrange(1, 21)))
            if i % 2:
                cuts = sorted(source.randrange(len(body) + 1) for _ in range(5))
                parts = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)]) if a != b]
                request = b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(
                    b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
            else:
                request = post("/echo", body)
            sender = threading.Thread(target=connection.sendall, args=(request,))
            sender.start()
            status, _, echoed, rest = read_response(connection, rest)
            sender.join()
            check(status == 200 and echoed == body, i, status, len(body))


def refused_upload():
    """The refusal is read although the client sends on for a while."""
    def attempt(target, more, path="/echo"):
        connection = target.connect()
        begin = time.monotonic()
        try:
            connection.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: 52428800\r\n\r\n".encode())
            sent = 0
            while sent < more or time.monotonic() < begin + (0.3 if more > 256 << 10 else 0):
                sent += connection.send(b"x" * 65536)
        except OSError:
            pass
        try:
            status, fields, body, _ = read_response(connection)
            return status == 413 and fields["connection"] == "close" and body == b"Content Too Large\n"
        except OSError:
            return False

    with server() as target:
        short = sum(attempt(target, 192 << 10) for _ in range(300 * SCALE))
        long = sum(attempt(target, 4 << 20) for _ in range(20 * SCALE))
        limited = sum(attempt(target, 0, "/small") for _ in range(20))
        print(f"{short} of {300 * SCALE} short, {long} of {20 * SCALE} long, {limited} of 20 by the route's limit")
        check(short == 300 * SCALE and long >= 0.99 * 20 * SCALE and limited == 20)


def half_close():
    with server() as target:
        for i in range(1000 * SCALE):
            connection = target.connect()
            connection.sendall(get("/octets/100000" if i % 10 == 0 else "/"))
            connection.shutdown(socket.SHUT_WR)
            status, _, body, rest = read_response(connection)
            check(status == 200 and len(body) in (5, 100000))
            check(read_to_end(connection) == b"" and not rest)
            connection.close()


def pipelining():
    source = random.Random(11)
    with server() as target:
        for _ in range(10 * SCALE):
            requests, expected = [], []
            for i in range(1000):
                kind = source.randrange(5)
                if kind == 0:
                    body = source.randbytes(source.randrange(300))
                    requests.append(post("/echo", body))
                    expected.append((200, body))
                elif kind == 1:
                    size = source.randrange(3000)
                    requests.append(get(f"/octets/{size}"))
                    expected.append((200, b"x" * size))
                elif kind == 2:
                    requests.append(get(f"/nope/{i}"))
                    expected.append((404, b"Not Found\n"))
                else:
                    requests.append(get(f"/user/{i}"))
                    expected.append((200, str(i).encode()))
            connection = target.connect()
            sender = threading.Thread(target=connection.sendall, args=(b"".join(requests),))
            sender.start()
            rest = b""
            for want in expected:
                status, _, body, rest = read_response(connection, rest)
                check((status, body) == want, status, body[:50], want)
            sender.join()
            connection.close()


# ---- Life cycle ---------------------------------------------------------------------------------

def drain():
    """No request that was sent is lost when the server is told to end under load."""
    for seed in range(6 * SCALE):
        source = random.Random(seed)
        target = ServerProcess([SERVER])
        lost, answered, stop = [], [0], threading.Event()

        def keep_alive():
            try:
                connection, rest = target.connect(), b""
                while True:
                    connection.sendall(get("/user/7"))
                    status, fields, body, rest = read_response(connection, rest)
                    if (status, body) != (200, b"7"):
                        lost.append((status, body))
                    answered[0] += 1
                    if fields.get("connection") == "close":
                        return
                    time.sleep(source.random() * 0.02)
            except OSError as error:
                lost.append(repr(error))

        def newcomers():
            while not stop.is_set():
                try:
                    connection = target.connect(timeout=3)
                except (ConnectionRefusedError, TimeoutError):
                    return
                try:
                    exchange(connection, GET)
                    answered[0] += 1
                except OSError as error:
                    lost.append("new: " + repr(error))
                connection.close()

        threads = [threading.Thread(target=keep_alive) for _ in range(24)]
        threads += [threading.Thread(target=newcomers) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.2 + source.random() * 0.2)
        begin = time.monotonic()
        status = target.stop()
        took = time.monotonic() - begin
        stop.set()
        for thread in threads:
            thread.join()
        check(not lost, lost[:5])
        check(status == 0 and took < 2, status, took)
        print(f"{answered[0]} answered, none lost, {took:.2f} s")


def drain_is_bounded():
    """A handler that never returns and a client that does not read don't hold the end up; nor does one signal more."""
    target = ServerProcess([SERVER, "--threads", "2", "--drain-timeout", "1000"])
    reader = target.connect(receive_buffer=1024)
    reader.sendall(get("/stream-endless"))
    sleeper = target.connect()
    sleeper.sendall(get("/sleep/60000"))
    time.sleep(0.3)
    begin = time.monotonic()
    check(target.stop() == 0)
    took = time.monotonic() - begin
    check(1 <= took < 2, took)

    target = ServerProcess([SERVER])
    reader = target.connect(receive_buffer=1024)
    reader.sendall(get("/stream-endless"))
    time.sleep(0.2)
    target.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    begin = time.monotonic()
    check(target.stop() == 0)
    took = time.monotonic() - begin
    print(f"{took * 1e3:.0f} ms after the second signal")
    check(took < 0.3, took)


def rolling_restart():
    """Servers take over from each other on one port under load: no request fails."""
    first = ServerProcess([SERVER, "--reuse-port"])
    port, failures, answered, stop = first.port, [], [0], threading.Event()

    def load():
        while not stop.is_set():
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                    check(exchange(connection, GET)[0] == 200)
                    answered[0] += 1
            except (OSError, AssertionError) as error:
                failures.append(repr(error))

    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    current = first
    for _ in range(4 * SCALE):
        following = ServerProcess([SERVER, "--reuse-port", "--port", str(port)])
        time.sleep(0.1)
        check(current.stop() == 0)
        current = following
    stop.set()
    for thread in threads:
        thread.join()
    check(current.stop() == 0)
    print(f"{answered[0]} answered, {len(failures)} failed")
    check(not failures and answered[0] > 100, failures[:3])


def socket_activation():
    """LISTEN_FDS: two servers in turn on a socket that outlives them; what waits in it is served by the second."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    port = listener.getsockname()[1]

    def start():
        def pass_on():
            os.dup2(listener.fileno(), 3)
            os.environ["LISTEN_PID"] = str(os.getpid())
        wrapper = "import os, sys; os.environ['LISTEN_PID'] = str(os.getpid()); os.execv(sys.argv[1], sys.argv[1:])"
        command = [sys.executable, "-c", wrapper, SERVER, "--threads", "2", "--port", "1"]
        return ServerProcess(command, preexec_fn=pass_on, pass_fds=(3, listener.fileno()), env={"LISTEN_FDS": "1"})

    for _ in range(2):
        target = start()
        check(target.port == port, target.port)
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                check(exchange(connection, GET)[0] == 200)
        check(target.stop() == 0)
        waiting = socket.create_connection(("127.0.0.1", port), timeout=5)
        waiting.sendall(GET)
    target = start()
    check(read_response(waiting)[0] == 200)
    check(target.stop() == 0)


def restart():
    """The port is free at once after a crash; what can't be listened on is told in one line, at once."""
    first = ServerProcess([SERVER])
    port = first.port
    exchange(first.connect(), GET)
    first.stop(signal.SIGKILL)
    with running([SERVER, "--port", str(port)]) as target:
        check(exchange(target.connect(), GET)[0] == 200)
        for arguments in (["--port", str(port)], ["--host", "203.0.113.1", "--port", "0"], ["--host", "nowhere", "--port", "0"],
                          ["--port", "70000"], ["--no-such"], ["--port"]):
            begin = time.monotonic()
            run = subprocess.run([SERVER, *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, timeout=5)
            took = time.monotonic() - begin
            check(run.returncode in (1, 2) and run.stderr.count("\n") == 1 and not run.stdout, arguments, run)
            check(not MEASURE or took < LONGEST_FAILURE, arguments, took)


def handler_faults():
    with server() as target:
        connection, rest = target.connect(), b""
        for path, status in (("/throw", 500), ("/throw-odd", 500), ("/bad-header", 500), ("/file/nonexistent", 500), ("/", 200)):
            answer = exchange(connection, get(path), rest)
            rest = answer[3]
            check(answer[0] == status, path, answer)
        connection.sendall(get("/stream-throw"))
        data = read_to_end(connection)
        check(data is not None and b"some" in data and b"0\r\n\r\n" not in data, data)
        old = target.connect()
        old.sendall(b"GET /stream-throw HTTP/1.0\r\n\r\n")
        old.settimeout(5)
        try:
            while old.recv(1000):
                pass
            raise AssertionError("a cut body ended like a whole one")
        except ConnectionResetError:
            pass


def streams():
    with server() as target:
        connection = target.connect()
        connection.sendall(get("/stream/5") + get("/user/9"))
        data = b""
        while not data.endswith(b"\r\n\r\n9"):
            data += connection.recv(65536)
        check(b"Transfer-Encoding: chunked" in data and b"\r\n0\r\n\r\nHTTP/1.1 200 OK" in data, data)
        check(b"".join(data.split(b"\r\n\r\n")[1].split(b"\r\n")[1::2]).startswith(b"5\n4\n3\n2\n1\n"), data)
        old = target.connect()
        old.sendall(b"GET /stream/3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        data = read_to_end(old)
        check(b"Transfer-Encoding" not in data and b"Connection: close" in data and data.endswith(b"\r\n\r\n3\n2\n1\n"), data)
        head = target.connect()
        head.sendall(get("/stream/5").replace(b"GET", b"HEAD"))
        _, fields, _, rest = read_response(head, head=True)
        check(fields["transfer-encoding"] == "chunked" and not rest)
        check(exchange(head, GET)[0] == 200)


def files():
    source = random.Random(2)
    path = f"/tmp/routec-file-{os.getpid()}"
    try:
        with server() as target:
            connection, rest = target.connect(), b""
            for size in (0, 1, 4096, 3_000_000):
                content = source.randbytes(size)
                with open(path, "wb") as file:
                    file.write(content)
                status, fields, body, rest = exchange(connection, get("/file" + path), rest)
                check(status == 200 and body == content and int(fields["content-length"]) == size, size)
            wait_until(lambda: target.descriptors() < 12)
            check(target.descriptors() < 12, "a file stays open")
    finally:
        os.unlink(path)


def metrics():
    with server("--threads", 2) as target:
        for path in ("/", "/user/1", "/user/2", "/nope", "/throw"):
            with target.connect() as connection:
                exchange(connection, get(path))
        text = exchange(target.connect(), get("/metrics"))[2].decode()
        for line in ('routec_requests_total{route="/user/{id}",handler="/user/{id}",code="2xx"} 2',
                     'routec_requests_total{route="/throw",handler="/throw",code="5xx"} 1',
                     'routec_requests_total{route="",handler="",code="4xx"} 1', "routec_connections_total 6"):
            check(line in text.splitlines(), line, text)


def threads():
    """Connections spread over the loops, and a handler that blocks delays only its own."""
    with server("--threads", 4) as target:
        sleepers = [target.connect()]
        sleepers[0].sendall(get("/sleep/1500"))
        time.sleep(0.1)
        connections = [target.connect() for _ in range(200)]
        for connection in connections:
            connection.sendall(GET)
        time.sleep(0.8)
        ready = len(select.select(connections, [], [], 0)[0])
        print(f"{ready} of 200 answered while one loop of four is blocked")
        check(100 <= ready < 200, ready)
        for connection in connections:
            check(read_response(connection)[0] == 200)
        close_all(connections)


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    globals()[sys.argv[2]]()
