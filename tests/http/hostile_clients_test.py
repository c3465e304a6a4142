"""Clients that mean ill beside one that does not: hostile_clients_test.py SERVER NAME, see reliability.py."""
import contextlib
import random
import select
import socket
import struct
import time

from reliability import GET, check, close_all, counter, exchange, figure, get, post, probe, read_to_end, run, server, sized
from server_process import read_response, wait_until

SLICES = 20  # clients take turns, so that what they do is spread over time


def trickle(connect, count, octets, pause, patience):
    """Connects `count` clients in the course of one `pause`; each then sends one of `octets` every `pause` until it is told something.
    For each the seconds from its first octet and what came, in no order; None instead of seconds if nothing came."""
    poller, waiting, ended = select.epoll(), {}, []
    end, turn = time.monotonic() + pause + patience, 0
    while time.monotonic() < end and (waiting or turn < SLICES):
        turn_ends = time.monotonic() + pause / SLICES
        if turn < SLICES:
            for _ in range(turn * count // SLICES, (turn + 1) * count // SLICES):
                connection = connect()
                connection.setblocking(False)
                poller.register(connection, select.EPOLLIN)
                waiting[connection.fileno()] = (connection, time.monotonic(), turn)
        for connection, _, slice_ in waiting.values():
            if slice_ == turn % SLICES:
                with contextlib.suppress(OSError):
                    connection.send(octets[turn // SLICES % len(octets)])
        turn += 1
        while (left := turn_ends - time.monotonic()) > 0:
            for fd, _ in poller.poll(left):
                connection, since, _ = waiting.pop(fd)
                poller.unregister(fd)
                ended.append((time.monotonic() - since, what_came(connection)))
    return ended + [(None, b"") for _ in waiting]


def what_came(connection):
    with contextlib.suppress(BlockingIOError, ConnectionResetError):
        return connection.recv(65536)
    return b""


def judge_trickle(what, ended, limit):
    """Each has 408 or the end, and in time."""
    check(all(took is not None for took, _ in ended), what, "not ended:", sum(took is None for took, _ in ended))
    check(all(not data or b" 408 " in data for _, data in ended), what, [data for _, data in ended][:3])
    check(sum(b" 408 " in data for _, data in ended) > len(ended) * 0.9, what, "without a 408")
    longest = max(took for took, _ in ended)
    figure(f"{what}: 408 or the end within {limit} s", f"{longest:.1f} s at most, {len(ended)} clients", longest <= limit)


def slow_head():
    count, pause, limit, options = sized((200, 0.1, 10, ("--head-timeout", 1000)), (5000, 5, 11, ()))
    head = [bytes([octet]) for octet in b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 200]
    with server(*options) as target, probe(target):
        judge_trickle("a head by octets", trickle(target.connect, count, head, pause, limit + 10), limit)


def slow_body():
    pause, count, options = sized((0.2, 1, ("--body-grace", 1000, "--linger-timeout", 500)), (1, 100, ()))
    with server(*options) as target, probe(target):
        for what, field, octets in (("by length", "Content-Length: 1048576", b"x"),
                                    ("by chunks", "Transfer-Encoding: chunked", b"1\r\nx\r\n")):
            def connect():
                connection = target.connect()
                connection.sendall(f"POST /echo HTTP/1.1\r\nHost: a\r\n{field}\r\n\r\n".encode())
                return connection
            judge_trickle(f"a slow body {what}", trickle(connect, count, [octets], pause, 20), 10)


def most_in_kernel(port):
    """KiB given to the kernel that a client of that port has not acknowledged, of the one with the most, by the kernel's table."""
    with open("/proc/net/tcp") as table:
        rows = [row.split() for row in table]
    return max(int(row[4].split(":")[0], 16) for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01") >> 10


def slow_reader():
    count, timeout, options = sized((30, 2, ("--write-timeout", 2000)), (1000, 30, ()))
    with server(*options) as target, probe(target):
        before, idle = target.private_kib(), target.descriptors()
        connections = [target.connect(receive_buffer=1024) for _ in range(count)]
        requests = get("/octets/1000") * 10_000
        for connection in connections:
            connection.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                connection.send(requests)
        begin = time.monotonic()
        time.sleep(1)
        each = (target.private_kib() - before) / count
        figure("memory of a client that pipelines and does not read <= 128 KiB", f"{each:.0f} KiB, of {count}", each <= 128)
        queued = most_in_kernel(target.port)
        figure("answers that the kernel keeps for it <= 256 KiB", f"{queued} KiB at most", queued <= 256)
        check(wait_until(lambda: target.descriptors() <= idle, 2 * timeout + 30), "not closed", target.descriptors())
        took = time.monotonic() - begin
        limit = timeout + sized(20, 2)
        figure(f"closed after {timeout} s without progress, within {limit} s", f"{took:.1f} s", timeout * 0.5 < took <= limit)
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
    count, timeout, options = sized((500, 1, ("--head-timeout", 1000)), (5000, 10, ()))
    with server(*options) as target, probe(target):
        before = target.private_kib()
        connections = [target.connect() for _ in range(count)]
        begin = time.monotonic()
        each = (target.private_kib() - before) / count
        check(read_to_end(connections[-1], timeout + 10) == b"")
        took = time.monotonic() - begin
        check(all(read_to_end(connection, 10) == b"" for connection in connections))
        limit = timeout + sized(9, 1)
        figure("memory of a connection without an octet <= 1 KiB", f"{each:.2f} KiB, of {count}", each <= 1)
        figure(f"closed after {timeout} s, within {limit} s", f"{took:.1f} s", timeout * 0.9 < took <= limit)


def reset_storm():
    rounds = sized(500, 28_600)

    def cut(target, sent, reads):
        connection = target.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if sent:
            connection.sendall(sent)
        if reads:
            connection.recv(10)
        connection.close()

    points = [(b"", False), (GET[:10], False), (post("/echo", b"x" * 100)[:-50], False), (GET, False),
              (get("/octets/3000000"), True), (GET, True), (get("/stream-endless"), True)]
    with server() as target, probe(target):
        descriptors = target.descriptors()
        for sent, reads in points * 20:  # after which malloc has the room for the large answers that it keeps
            cut(target, sent, reads)
        wait_until(lambda: target.descriptors() <= descriptors)
        memory = target.private_kib()
        for _ in range(rounds):
            for sent, reads in points:
                cut(target, sent, reads)
        limit = sized(10, 1)
        back = wait_until(lambda: target.descriptors() <= descriptors, limit)
        grown = target.private_kib() - memory
        figure(f"descriptors back within {limit} s of {rounds * len(points)} resets", f"{target.descriptors()} of {descriptors}", back)
        figure("memory after it <= 1 MiB more than before", f"{grown} KiB more", grown <= 1024)


def flood(target, begin, piece, octets):
    """The status that ends it, and how much the server took until then."""
    before = counter(target, "routec_received_octets_total")
    connection, sent, status = target.connect(), 0, None
    connection.sendall(begin)
    try:
        while sent < octets and not select.select([connection], [], [], 0)[0]:
            sent += connection.send(piece)
        status = read_response(connection)[0]
    except (BrokenPipeError, ConnectionResetError):
        pass
    return status, counter(target, "routec_received_octets_total") - before


def chunk_abuse():
    top = b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    floods = {"an extension": (top + b"5;", b"a" * 1000, (400, 431)),
              "extensions": (top, b"1;" + b"e" * 100 + b"\r\nx\r\n", (400, 431)),
              "trailers": (top + b"0\r\n", b"X: " + b"y" * 100 + b"\r\n", (400, 431)),
              "empty lines": (b"", b"\r\n" * 500, (400,)),
              "fields": (b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 100, (431,)),
              "a target": (b"GET /", b"a" * 1000, (414,))}
    size, window = 1 << 20, 64 << 10
    with server() as target, probe(target):
        taken = {}
        for name, (begin, piece, statuses) in floods.items():
            status, taken[name] = flood(target, begin, piece, 1 << 30)
            check(status in statuses, name, status)
        most = max(taken, key=taken.get)
        figure("an endless message is refused after its bound (16 KiB, a head 32 KiB) and one read of 64 KiB",
               f"{taken[most] / 1024:.0f} KiB at most, by {most}", taken[most] <= (32 << 10) + window + 1024)
        connection, cpu = target.connect(), target.cpu_seconds()
        body = exchange(connection, top + b"1\r\nx\r\n" * size + b"0\r\n\r\n")[2]
        cpu = target.cpu_seconds() - cpu
        check(body == b"x" * size)
        limit = sized(0.15, 0.1)
        figure(f"1 MiB of one-octet chunks is served in <= {limit * 1e3:.0f} ms", f"{cpu * 1e3:.0f} ms", cpu <= limit)


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
        """Names that differ in one octet only."""
        return get("/", "".join(f"X-{i:03}-{'abcdefgh' * 10}: {'v' * 100}\r\n" for i in range(count)))

    shapes = {"fields": lambda n: fields(n // 21), "pairs": lambda n: get("/query?" + "&".join("k=v" for _ in range(n // 2))),
              "segments": lambda n: get("/static" + "/a" * n), "escapes": lambda n: get("/static/" + "%41" * n)}
    with server() as target:
        for name, shape in shapes.items():
            half, full = cost(target, shape(1000)), cost(target, shape(2000))
            figure(f"{name}: <= 100 us a request, twice the size < 2.5 times the time", f"{full * 1e6:.1f} us, from {half * 1e6:.1f}",
                   full <= 100e-6 and full < 2.5 * half + 10e-6)


if __name__ == "__main__":
    run(globals())
