"""A proxy that drops, delays and cuts connections, as networks do."""

import contextlib
import random
import socket
import struct
import threading
import time

PIECE_BYTES = 16 << 10
DROPPED = 0.02
CUT = 0.004
DELAYED = 0.02
DELAY_SECONDS = 0.2


class UnreliableProxy:
    """Forwards connections to a port. While `faulty`, some of them are dropped, delayed or cut.

    The port may change when the server behind it restarts.
    """

    def __init__(self, port, seed):
        self.port = port
        self.faulty = False
        self.faults = {"dropped": 0, "delayed": 0, "cut": 0}
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.own_port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def _draws(self, fault, probability):
        with self.lock:
            drawn = self.faulty and self.random.random() < probability
            self.faults[fault] += drawn
            return drawn

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                if self._draws("dropped", DROPPED):
                    reset(client)
                    continue
                try:
                    server = socket.create_connection(("127.0.0.1", self.port))
                except OSError:
                    reset(client)
                    continue
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._pump, args=(source, target), daemon=True).start()

    def _pump(self, source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(PIECE_BYTES):
                if self._draws("delayed", DELAYED):
                    with self.lock:
                        seconds = self.random.random() * DELAY_SECONDS
                    time.sleep(seconds)
                if self._draws("cut", CUT):
                    with self.lock:
                        kept = self.random.randrange(len(piece))
                    target.sendall(piece[:kept])
                    reset(source)
                    reset(target)
                    return
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
            return
        # Either side is gone, so the other one is told.
        reset(source)
        reset(target)


def reset(connection):
    """Closes a connection such that the other side sees it reset."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
