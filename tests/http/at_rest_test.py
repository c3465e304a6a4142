"""Memory and the processor at rest: at_rest_test.py SERVER NAME, see reliability.py."""
import time

from reliability import GET, check, close_all, exchange, figure, post, resting_descriptors, run, server, sized, warm_up
from server_process import wait_until

# What may stay when all have gone, beside a tenth of what there was: pools, and what malloc keeps.
LEFT = 1024  # KiB


def idle_memory():
    count, seconds, most = sized((2000, 2, 0.02), (10_000, 10, 0.005))
    with server() as target:
        warm_up(target)
        before, resident = target.private_kib(), target.resident_kib()
        connections = []
        for _ in range(count):
            connections.append(target.connect())
            exchange(connections[-1], GET)
        each = (target.private_kib() - before) / count
        cpu = target.cpu_seconds()
        time.sleep(seconds)
        cpu = (target.cpu_seconds() - cpu) / seconds
        close_all(connections)
        most_left = LEFT + resident // 10
        wait_until(lambda: target.resident_kib() - resident <= most_left)
        left = target.resident_kib() - resident
        figure("memory of an idle connection <= 1 KiB", f"{each:.2f} KiB, of {count}", each <= 1)
        figure(f"processor while all are idle < {most:.1%}", f"{cpu:.2%}", cpu < most)
        figure(f"memory left when they are closed <= 1 MiB + 10 % = {most_left} KiB", f"{left} KiB", left <= most_left)


def buffers_return():
    count, at_once = sized((500, 500), (10_000, 2500))  # so many unfinished heads stay below max_buffered
    constant = 3 << 10  # pooled blocks, and what malloc keeps of handlers' bodies, whatever the count
    head = b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 15_000
    body = post("/user", b"b" * (1 << 20))
    with server("--head-timeout", 600_000, "--idle-timeout", 600_000) as target:
        exchange(target.connect(), GET)
        before, held, connections = target.private_kib(), 0, []
        while len(connections) < count:
            some = [target.connect() for _ in range(at_once)]
            for connection in some:
                connection.sendall(head)
            held = max(held, target.private_kib() - before)
            for connection in some:
                check(exchange(connection, b"\r\n\r\n")[0] == 200)
                check(exchange(connection, body)[0] == 200)
            connections += some
        wait_until(lambda: target.private_kib() - before <= constant + count, 1)
        left = target.private_kib() - before
        figure("memory after a 15 KiB head and a 1 MiB body <= 3 MiB + 1 KiB a connection",
               f"{left / count:.2f} KiB a connection of {count} ({held / at_once:.1f} KiB within the head)", left <= constant + count)
        close_all(connections)


def connect_cycles():
    warm, count = sized((1250, 5000), (100_000, 900_000))
    with server() as target:
        def cycle(times):
            for _ in range(times):
                with target.connect() as connection:
                    exchange(connection, GET)
        resting = resting_descriptors(target)
        cycle(warm)
        wait_until(lambda: target.descriptors() <= resting)
        descriptors, memory = target.descriptors(), target.private_kib()
        cycle(count)
        check(wait_until(lambda: target.descriptors() <= descriptors), "descriptors leak")
        grown = target.private_kib() - memory
        figure("memory growth over connect-request-close cycles <= 1 MiB", f"{grown} KiB in {count}", grown <= 1024)


if __name__ == "__main__":
    run(globals())
