"""What happens when something runs out, or the process stands still: exhaustion_test.py SERVER NAME SHIM, see reliability.py."""
import contextlib
import os
import resource
import select
import signal
import subprocess
import time

from reliability import (GET, MEASURE, check, close_all, counter, exchange, figure, get, post, probe, read_to_end,
                         resting_descriptors, run, server, sized, start, with_faults)
from server_process import read_response, wait_until


def descriptors_exhausted():
    count = sized(200, 500)
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    with server(preexec_fn=limit) as target, probe(target):
        connections = [target.connect() for _ in range(count)]
        check(wait_until(lambda: target.descriptors() == 64, 10), "there is room for more", target.descriptors())
        begin, cpu = time.monotonic(), target.cpu_seconds()
        time.sleep(sized(1, 5))
        cpu = (target.cpu_seconds() - cpu) / (time.monotonic() - begin)
        most = sized(0.2, 0.1)
        figure(f"processor while descriptors are out < {most:.0%}, a healthy client served", f"{cpu:.1%}", cpu < most)
        close_all(connections[:-40])
        begin = time.monotonic()
        check(exchange(connections[-40], GET)[0] == 200)
        took, longest = time.monotonic() - begin, sized(8, 1)
        figure(f"accepts go on within {longest} s of a descriptor coming free", f"{took:.2f} s", took <= longest)
        for connection in connections[-39:]:
            check(exchange(connection, GET)[0] == 200)


def accept_errors():
    """ENFILE, ENOBUFS, ENOMEM, ECONNABORTED, EPROTO and EINTR from three of four accepts."""
    count = sized(40, 400)
    with with_faults("accept") as target:
        for _ in range(count):
            with target.connect() as connection:
                check(exchange(connection, GET)[0] == 200)
    figure("served though accept fails three times of four: all", f"{count} of {count}", True)


def allocation_failure():
    mix = [GET, get("/user/" + "x" * 100), post("/echo", b"y" * 3000), get("/octets/100000"), get("/nope"),
           get("/query?name=" + "z" * 50), get("/stream/3"), get("/events"), get("/metrics")]
    statuses = {}
    with with_faults("memory") as target:
        for i in range(sized(3000, 500_000)):
            with target.connect() as connection:
                request = mix[i % len(mix)]
                try:
                    connection.sendall(request[:40])
                    connection.sendall(request[40:])
                    status = int(connection.recv(65536).split(b" ")[1])
                except (OSError, IndexError):
                    status = "closed"
                statuses[status] = statuses.get(status, 0) + 1
    check(statuses[200] > statuses["closed"] > 0, statuses)
    figure(f"when an allocation fails{'' if MEASURE else ', under a sanitizer'}: 503, 500 or closed, the next is served", statuses,
           set(statuses) <= {200, 404, 500, 503, "closed"})


def waiting_in_backlog(port):
    """Connections that wait for an accept, by the kernel's table."""
    with open("/proc/net/tcp") as table:
        rows = [row.split() for row in table]
    return sum(int(row[4].split(":")[1], 16) for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A")


def pause_with_unfinished_head(target, head_timeout):
    """Stops the process while it waits for the rest of a head. On a busy machine the head may run out of time before that:
    then another is begun."""
    for _ in range(10):
        unfinished, before = target.connect(), counter(target, "routec_received_octets_total")
        begin = time.monotonic()
        unfinished.sendall(GET[:10])
        check(wait_until(lambda: counter(target, "routec_received_octets_total") >= before + 10, 10), "not received")
        os.kill(target.pid, signal.SIGSTOP)
        check(wait_until(target.is_stopped), "not stopped")
        if time.monotonic() - begin < head_timeout / 2:
            return unfinished
        os.kill(target.pid, signal.SIGCONT)
        unfinished.close()
    raise AssertionError("never stopped in time")


def paused():
    """While the process stands still connections wait in the backlog; then all are served, and none has timed out whose octets had
    come by then."""
    count, head_timeout, idle_timeout, pause = sized((1000, 1, 2, 3), (2000, 10, 60, 61))
    with server("--head-timeout", head_timeout * 1000, "--idle-timeout", idle_timeout * 1000) as target:
        idle = target.connect()
        exchange(idle, GET)
        unfinished = pause_with_unfinished_head(target, head_timeout)
        late = [target.connect(timeout=30) for _ in range(count)]
        for connection in late:
            connection.sendall(GET)
        unfinished.sendall(GET[10:])
        idle.sendall(GET)
        kept = waiting_in_backlog(target.port)
        time.sleep(pause)
        os.kill(target.pid, signal.SIGCONT)
        check(read_response(unfinished)[0] == 200, "the head that came in during the pause")
        check(read_response(idle)[0] == 200, "the idle connection")
        served = sum(read_response(connection)[0] == 200 for connection in late)
        figure("connections of a pause kept in the backlog and served: all", f"{kept} kept, {served} served of {count}",
               served == count and kept >= count)
        figure(f"connections ended by deadlines that passed in a pause of {pause} s: 0", counter(target, "routec_timeouts_total"),
               counter(target, "routec_timeouts_total") == 0)
        close_all(late)


def clock_moves():
    """The wall clock jumps by a day, forth and back: Date follows, deadlines do not. The shim moves it at each SIGUSR1."""
    with with_faults("clock", "--idle-timeout", 30_000) as target:
        connection, rest = target.connect(), b""
        dates = []
        for _ in range(3):
            _, fields, _, rest = exchange(connection, GET, rest)
            dates.append(fields["date"])
            os.kill(target.pid, signal.SIGUSR1)
            time.sleep(1)
        check(exchange(connection, GET, rest)[0] == 200)
        figure("the clock moved by a day: Date follows within 1 s, no deadline", ", ".join(dates),
               dates[0][5:7] != dates[1][5:7] and dates[0][5:7] == dates[2][5:7] and counter(target, "routec_timeouts_total") == 0)


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
        resting = resting_descriptors(target)
        connections = [target.connect() for _ in range(1000)]
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 15_000)
        time.sleep(0.5)
        memory = target.private_kib()
        figure("memory for 1000 unfinished heads of 15 KiB, 4 MiB allowed, < 8 MiB", f"{memory} KiB", memory < 8 * 1024)
        close_all(connections)
        wait_until(lambda: target.descriptors() <= resting)
        check(exchange(target.connect(), GET)[0] == 200)


def log_blocked():
    """The log's reader never reads, or the disk is full: requests go on, and what a blocked log can't take is counted."""
    count = sized(20_000, 1_000_000)
    for reader in ("a full pipe", "a full disk"):
        log = subprocess.PIPE if reader == "a full pipe" else open("/dev/full", "w")
        target = start("--access-log", 1, stderr=log)
        try:
            connection, rest = target.connect(), b""
            for _ in range(count // 100):
                connection.sendall(GET * 100)
                for _ in range(100):
                    status, _, _, rest = read_response(connection, rest)
                    check(status == 200)
            dropped = counter(target, "routec_access_records_dropped_total")
            begin = time.monotonic()
            check(target.stop() == 0)
            took, longest = time.monotonic() - begin, sized(10, 3)
            figure(f"requests served with the log to {reader}: all; the end within {longest} s",
                   f"{count} served, {dropped} records dropped, {took:.1f} s", took < longest and (dropped > 0 or log != subprocess.PIPE))
        finally:
            target.process.kill()
            (target.process.stderr or log).close()


def access_log():
    target = start("--access-log", 1, stderr=subprocess.PIPE)
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


if __name__ == "__main__":
    run(globals())
