"""HTTP over a bare socket: what a client costs should be as little as possible, and the same for all."""

import mmap
import socket

PIECE_BYTES = 1 << 20

# Woken less often, a client leaves more of the processors to who serves it.
WAKING_BYTES = 512 << 10


class Connection:
    """One connection that is kept alive."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        # Otherwise a small body waits until the head before it is acknowledged, 40 ms later.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.piece = bytearray(PIECE_BYTES)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def drain(self, path, *headers):
        """GETs, and lets the kernel throw the body away, so that the server is what is measured."""
        return self._get(path, headers, socket.MSG_TRUNC)

    def copy(self, path, *headers):
        """GETs into memory, as a client that wants the bytes has to."""
        return self._get(path, headers, 0)

    def save(self, path, kept, *headers):
        """GETs into a file."""
        for piece in self._pieces(path, headers, 0):
            kept.write(piece)

    def body(self, path, *headers):
        """GETs what may have no length, with `Connection: close`, and undoes the chunks."""
        length = self._ask(path, headers)
        received = bytearray(self.first)
        while more := self.socket.recv(PIECE_BYTES):
            received += more
        return bytes(received) if length is not None else unchunked(received)

    def compare(self, path, file, *headers):
        """GETs, and holds the body to the bytes of the file."""
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as expected:
            self.hold(path, len(expected), lambda start, end: expected[start:end], *headers)

    def hold(self, path, byte_size, expected, *headers):
        """GETs, and holds the body to so many bytes, of which `expected(start, end)` are some."""
        position = 0
        for piece in self._pieces(path, headers, 0):
            if piece != expected(position, position + len(piece)):
                raise AssertionError(f"{path} is not what was uploaded after byte {position}")
            position += len(piece)
        if position != byte_size:
            raise AssertionError(f"{path} has {position} bytes, and {byte_size} were uploaded")

    def put(self, path, file, *headers):
        """PUTs the file, which the kernel sends. Returns the bytes that were sent."""
        with file.open("rb") as opened:
            byte_size = file.stat().st_size
            self._send("PUT", path, (*headers, f"Content-Length: {byte_size}"))
            self.socket.sendfile(opened)
        return self._stored(path, byte_size)

    def put_pieces(self, path, byte_size, pieces, *headers):
        """PUTs what is never there as a whole. Returns the bytes that were sent."""
        self._send("PUT", path, (*headers, f"Content-Length: {byte_size}"))
        for piece in pieces:
            self.socket.sendall(piece)
        return self._stored(path, byte_size)

    def begin_get(self, path):
        """Asks, and leaves the answer where it is."""
        self._send("GET", path, ())

    def begin_put(self, path, byte_size, head):
        """Sends a part of a body."""
        self._send("PUT", path, (f"Content-Length: {byte_size}",))
        self.socket.sendall(head)

    def status(self):
        """That of the answer which was begun."""
        return int(self.socket.recv(12).split()[1])

    def _stored(self, path, byte_size):
        status, length, body = self._head()
        if status not in (200, 201, 204):
            raise AssertionError(f"PUT {path} is answered {status}: {body}")
        if length is not None:
            self._discard(length - len(body))
        return byte_size

    def _get(self, path, headers, flags):
        length = self._ask(path, headers)
        if length is None:
            return self._until_closed(flags)
        self._discard(length - len(self.first), flags)
        return length

    def _pieces(self, path, headers, flags):
        remaining = self._ask(path, headers)
        yield self.first
        remaining -= len(self.first)
        while remaining:
            received = self._receive(min(remaining, PIECE_BYTES), flags)
            remaining -= received
            yield self.piece[:received]

    def _ask(self, path, headers):
        self._send("GET", path, headers)
        status, length, self.first = self._head()
        if status not in (200, 206):
            raise AssertionError(f"GET {path} is answered {status}: {self.first}")
        return length

    def _send(self, method, path, headers):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
        self.socket.sendall("\r\n".join(lines).encode())

    def _head(self):
        """Status, length and what of the body came along; at most 4 KiB, for that is copied."""
        received = b""
        while b"\r\n\r\n" not in received:
            more = self.socket.recv(4096)
            if not more:
                raise AssertionError(f"the connection ended in the head: {received}")
            received += more
        head, _, body = received.partition(b"\r\n\r\n")
        length = None
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line[15:])
        return int(head.split(maxsplit=2)[1]), length, body

    def _discard(self, remaining, flags=0):
        while remaining:
            remaining -= self._receive(min(remaining, PIECE_BYTES), flags)

    def _receive(self, byte_size, flags):
        received = self.socket.recv_into(self.piece, byte_size, flags)
        if not received:
            raise AssertionError("the connection ended in the body")
        return received

    def _until_closed(self, flags):
        """What has no length comes in chunks, and is asked for with `Connection: close`."""
        return len(self.first) + until_closed(self.socket, self.piece, flags)


def until_closed(connection, piece, flags=0):
    """Receives all that comes. Returns how many bytes it was."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, WAKING_BYTES)
    byte_size = 0
    while received := connection.recv_into(piece, len(piece), flags):
        byte_size += received
    return byte_size


def drained(begin):
    """Drains what whoever `begin` tells the port of sends, as `drain` does. Returns how many bytes."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        begin(server.getsockname()[1])
        connection, _ = server.accept()
        with connection:
            return until_closed(connection, bytearray(PIECE_BYTES), socket.MSG_TRUNC)


def unchunked(received):
    """What the chunks hold; fails where the last one, of no bytes, is missing."""
    pieces = []
    position = 0
    while True:
        end = received.index(b"\r\n", position)
        byte_size = int(received[position:end], 16)
        if byte_size == 0:
            return b"".join(pieces)
        pieces.append(received[end + 2 : end + 2 + byte_size])
        position = end + 2 + byte_size + 2
