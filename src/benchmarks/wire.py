"""HTTP over a bare socket, so that the client costs little, and the same for every server."""

import mmap
import socket

PIECE_BYTES = 1 << 20

# A client that wakes less often leaves more CPU time to the server.
WAKING_BYTES = 512 << 10


class Connection:
    """One persistent connection, with TLS if a context is given."""

    def __init__(self, port, context=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        # Otherwise a small body waits 40 ms for the acknowledgement of its head.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        self.piece = bytearray(PIECE_BYTES)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def drain(self, path, *headers):
        """Gets a path and lets the kernel discard the body, which measures the server alone."""
        return self._get(path, headers, socket.MSG_TRUNC)

    def copy(self, path, *headers):
        """Gets a path into memory, as a client that uses the bytes does."""
        return self._get(path, headers, 0)

    def save(self, path, kept, *headers):
        """Gets a path into a file."""
        for piece in self._pieces(path, headers, 0):
            kept.write(piece)

    def body(self, path, *headers):
        """Gets a body that may have no length, with `Connection: close`, and decodes the chunks."""
        length = self._request(path, headers)
        received = bytearray(self.first)
        while more := self.socket.recv(PIECE_BYTES):
            received += more
        return bytes(received) if length is not None else unchunked(received)

    def compare(self, path, file, *headers):
        """Gets a path and compares the body with the bytes of the file."""
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as expected:
            self.verify(path, len(expected), lambda start, end: expected[start:end], *headers)

    def verify(self, path, byte_size, expected, *headers):
        """Gets a path and compares its `byte_size` bytes with `expected(start, end)`, piece by piece."""
        position = 0
        for piece in self._pieces(path, headers, 0):
            if piece != expected(position, position + len(piece)):
                raise AssertionError(f"{path} differs from the upload after byte {position}")
            position += len(piece)
        if position != byte_size:
            raise AssertionError(f"Expected {byte_size} bytes but found {position} at {path}")

    def put(self, path, file, *headers):
        """Puts the file with sendfile. Returns the number of bytes sent."""
        with file.open("rb") as opened:
            byte_size = file.stat().st_size
            self._send("PUT", path, (*headers, f"Content-Length: {byte_size}"))
            self.socket.sendfile(opened)
        return self._stored(path, byte_size)

    def put_pieces(self, path, byte_size, pieces, *headers):
        """Puts pieces, which are never all in memory. Returns the number of bytes sent."""
        self._send("PUT", path, (*headers, f"Content-Length: {byte_size}"))
        for piece in pieces:
            self.socket.sendall(piece)
        return self._stored(path, byte_size)

    def begin_get(self, path, *headers):
        """Sends a request without reading the response."""
        self._send("GET", path, headers)

    def begin_put(self, path, byte_size, head):
        """Starts an upload with the first part of its body."""
        self._send("PUT", path, (f"Content-Length: {byte_size}",))
        self.socket.sendall(head)

    def status(self):
        """The status of the response to `begin_get`."""
        return int(self.socket.recv(12).split()[1])

    def _stored(self, path, byte_size):
        status, length, body = self._head()
        if status not in (200, 201, 204):
            raise AssertionError(f"PUT {path} returned {status}: {body}")
        if length is not None:
            self._discard(length - len(body))
        return byte_size

    def _get(self, path, headers, flags):
        length = self._request(path, headers)
        if length is None:
            return self._until_closed(flags)
        self._discard(length - len(self.first), flags)
        return length

    def _pieces(self, path, headers, flags):
        remaining = self._request(path, headers)
        yield self.first
        remaining -= len(self.first)
        while remaining:
            received = self._receive(min(remaining, PIECE_BYTES), flags)
            remaining -= received
            yield self.piece[:received]

    def _request(self, path, headers):
        self._send("GET", path, headers)
        status, length, self.first = self._head()
        if status not in (200, 206):
            raise AssertionError(f"GET {path} returned {status}: {self.first}")
        return length

    def _send(self, method, path, headers):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
        self.socket.sendall("\r\n".join(lines).encode())

    def _head(self):
        """The status, the length, and the body bytes received with the head, at most 4 KiB."""
        received = b""
        while b"\r\n\r\n" not in received:
            more = self.socket.recv(4096)
            if not more:
                raise AssertionError(f"Expected a response head but found only {received}")
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
            raise AssertionError("Expected more of the body but found the connection closed")
        return received

    def _until_closed(self, flags):
        """Reads a chunked body to the end of the connection; the request has sent `Connection: close`."""
        return len(self.first) + until_closed(self.socket, self.piece, flags)


def until_closed(connection, piece, flags=0):
    """Receives until the connection is closed. Returns the number of bytes."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, WAKING_BYTES)
    byte_size = 0
    while received := connection.recv_into(piece, len(piece), flags):
        byte_size += received
    return byte_size


def drained(begin):
    """Calls `begin` with a port, and drains the connection made to it. Returns the number of bytes."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        begin(server.getsockname()[1])
        connection, _ = server.accept()
        with connection:
            return until_closed(connection, bytearray(PIECE_BYTES), socket.MSG_TRUNC)


def unchunked(received):
    """Decodes chunks; fails if the last, empty chunk is missing."""
    pieces = []
    position = 0
    while True:
        end = received.index(b"\r\n", position)
        byte_size = int(received[position:end], 16)
        if byte_size == 0:
            return b"".join(pieces)
        pieces.append(received[end + 2 : end + 2 + byte_size])
        position = end + 2 + byte_size + 2
