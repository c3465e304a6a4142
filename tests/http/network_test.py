"""Servers behind a bad network: network_test.py SERVER NAME, see reliability.py. Needs the right to make a network of its own
(root, or user namespaces) with a TUN device, and iproute2; without them a test is skipped with a message."""
import collections
import concurrent.futures
import contextlib
import fcntl
import multiprocessing
import os
import random
import select
import struct
import subprocess
import sys
import time

from delivery_test import judge_refused_uploads
from reliability import GET, check, counter, exchange, figure, get, post, resting_descriptors, run, server, sized
from server_process import wait_until

INSIDE = "ROUTEC_TEST_OWN_NETWORK"
SERVER_ADDRESS, CLIENT_SIDE = "10.9.0.1", "10.9.0.2"
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x1, 0x1000


def enter_own_network():
    """Runs this program again in a network namespace, or says why not."""
    unshare = ["unshare", "--map-root-user", "--net"]
    for what in ([*unshare, "test", "-w", "/dev/net/tun"], ["ip", "-V"]):
        with contextlib.suppress(FileNotFoundError):
            if subprocess.run(what, capture_output=True).returncode == 0:
                continue
        print(f"| a network of its own for {sys.argv[2]} | `{' '.join(what)}` fails | skipped |")
        sys.exit()
    os.execvpe(unshare[0], [*unshare, sys.executable, *sys.argv], {**os.environ, INSIDE: "1"})


class Network:
    """What clients send to CLIENT_SIDE comes to the server on SERVER_ADDRESS, and what it answers to them: later, in another
    order, or not at all. It is one device: each packet comes back in with its two addresses exchanged, which does not change its
    checksums."""

    def __init__(self, delay=0.0, loss=0.0, reordered=0.0, mtu=1500):
        self.delay, self.loss, self.reordered = delay, loss, reordered
        self.is_cut = multiprocessing.Event()
        self.device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        name = fcntl.ioctl(self.device, TUNSETIFF, struct.pack("16sH22x", b"", IFF_TUN | IFF_NO_PI))[:16].rstrip(b"\0").decode()
        for command in (f"addr add {SERVER_ADDRESS}/24 dev {name}", f"link set {name} mtu {mtu} txqueuelen 10000 up", "link set lo up"):
            subprocess.run(["ip", *command.split()], check=True)
        self.process = multiprocessing.Process(target=self.carry, daemon=True)
        self.process.start()

    def carry(self):
        source, waiting = random.Random(19), collections.deque()
        while True:
            left = max(waiting[0][0] - time.monotonic(), 0) if waiting else None
            if select.select([self.device], [], [], left)[0]:
                packet = os.read(self.device, 65536)
                back = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
                if self.is_cut.is_set() or source.random() < self.loss:
                    continue
                if source.random() < self.reordered:
                    os.write(self.device, back)
                else:
                    waiting.append((time.monotonic() + self.delay, back))
            while waiting and waiting[0][0] <= time.monotonic():
                os.write(self.device, waiting.popleft()[1])

    def close(self):
        self.process.kill()
        self.process.join()
        os.close(self.device)


@contextlib.contextmanager
def server_behind(*options, **conditions):
    """A server whose clients come through such a network, and the network."""
    with contextlib.closing(Network(**conditions)) as network, server("--host", SERVER_ADDRESS, *options) as target:
        target.host = CLIENT_SIDE
        yield target, network


def exchange_bodies(target, seed, largest, count):
    """Echoed ones, of sizes up to `largest`; the sum of the sizes."""
    source, rest, octets = random.Random(seed), b"", 0
    with target.connect(timeout=60) as connection:
        for _ in range(count):
            body = source.randbytes(source.randrange(largest))
            status, _, echoed, rest = exchange(connection, post("/echo", body), rest)
            check(status == 200 and echoed == body, "wrong octets", status, len(body), len(echoed))
            octets += len(body)
    return octets


def bad_network():
    clients = sized(5, 40)
    ills = {"5 % loss": {"loss": 0.05}, "200 ms of delay": {"delay": 0.2}, "25 % out of order": {"delay": 0.02, "reordered": 0.25},
            "an MTU of 128": {"mtu": 128}, "all of it": {"loss": 0.05, "delay": 0.2, "reordered": 0.25, "mtu": 128}}
    for name, conditions in ills.items():
        largest, count = (3000, sized(1, 5)) if "mtu" in conditions else (100_000, sized(2, 20))
        with server_behind(**conditions) as (target, _), concurrent.futures.ThreadPoolExecutor(clients) as pool:
            octets = sum(pool.map(lambda seed: exchange_bodies(target, seed, largest, count), range(clients)))
        figure(f"bodies exact through {name}: all", f"{clients * count} of {clients * count}, {octets / 1e6:.1f} MB both ways", True)


def dead_peers():
    """Clients that vanish: nothing comes from them, not even a reset."""
    head, write, idle, linger = sized((1, 2, 3, 1), (10, 30, 60, 5))
    options = ("--head-timeout", head * 1000, "--write-timeout", write * 1000, "--idle-timeout", idle * 1000,
               "--linger-timeout", linger * 1000)
    kinds = {"idle": (GET, idle), "within a head": (GET[:9], head + linger), "within an answer": (get("/octets/9000000"), write)}
    for name, (request, timeout) in kinds.items():
        with server_behind(*options) as (target, network):
            resting, before = resting_descriptors(target), counter(target, "routec_received_octets_total")
            connection = target.connect()
            connection.sendall(request)
            wait_until(lambda: counter(target, "routec_received_octets_total") >= before + len(request))
            check(request == GET[:9] or connection.recv(1))
            check(wait_until(lambda: target.descriptors() == resting + 1), "others are left")
            network.is_cut.set()
            begin = time.monotonic()
            check(wait_until(lambda: target.descriptors() <= resting, timeout + 10), "kept", name)
            took, limit = time.monotonic() - begin, timeout + 1
            figure(f"a client that vanished {name} is forgotten within {limit} s", f"{took:.1f} s", took <= limit)
            connection.close()


def refused_upload():
    with server_behind(delay=0.05, mtu=65_000) as (target, _):
        judge_refused_uploads(target, " with 50 ms of delay")


if __name__ == "__main__":
    if INSIDE not in os.environ:
        enter_own_network()
    run(globals())
