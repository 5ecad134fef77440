package dev.quiver.benchmarks;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// Gets ranges at random positions, one after the other on each of a few persistent connections.
/// The first bodies of each connection are compared with the file. The kernel discards all others,
/// which measures the server alone.
///
/// Each line of standard input is a task: port, connections, seconds, length of a range, served
/// file, path. The result is a line with the number of requests and the nanoseconds. A warm JVM is
/// faster than the servers; Python would be slower.
public final class RangeClient {

  private static final int COMPARED = 20;

  private RangeClient() {}

  /// Runs the tasks one after the other, until the input ends.
  public static void main(String[] arguments) throws Exception {
    var input = new Scanner(System.in, StandardCharsets.UTF_8);
    while (input.hasNext()) {
      var task =
          new Task(
              input.nextInt(),
              input.nextInt(),
              Double.parseDouble(input.next()),
              input.nextInt(),
              Path.of(input.next()),
              input.next());
      System.out.println(task.run());
    }
  }

  private record Task(
      int port, int connections, double seconds, int length, Path file, String path) {

    String run() throws Exception {
      try (var threads = Executors.newFixedThreadPool(connections);
          var arena = Arena.ofShared();
          var channel = FileChannel.open(file)) {
        var expected = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        var clients = new ArrayList<Client>();
        for (int i = 0; i < connections; i++) {
          clients.add(new Client(this, expected, new SplittableRandom(i), arena));
        }
        for (var compared : threads.invokeAll(each(clients, Client::compare))) {
          compared.get();
        }
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        long requests = 0;
        for (var loaded : threads.invokeAll(each(clients, client -> client.load(end)))) {
          requests += loaded.get();
        }
        long nanos = System.nanoTime() - start;
        clients.forEach(client -> client.socket.close());
        return requests + " " + nanos;
      }
    }

    private static List<Callable<Long>> each(List<Client> clients, Work work) {
      return clients.stream().map(client -> (Callable<Long>) () -> work.on(client)).toList();
    }
  }

  private interface Work {
    long on(Client client) throws IOException;
  }

  /// One connection, used by a single thread.
  private static final class Client {
    private static final int HEAD_BYTES = 16 << 10;

    private final Task task;
    private final MemorySegment expected;
    private final SplittableRandom random;
    private final MemorySegment requestBuffer;
    private final MemorySegment received;
    final Socket socket;

    Client(Task task, MemorySegment expected, SplittableRandom random, Arena arena)
        throws IOException {
      this.task = task;
      this.expected = expected;
      this.random = random;
      this.requestBuffer = arena.allocate(HEAD_BYTES);
      this.received = arena.allocate(Math.addExact(HEAD_BYTES, task.length));
      this.socket = Socket.connect(task.port, arena);
    }

    long compare() throws IOException {
      for (int i = 0; i < COMPARED; i++) {
        long position = request();
        var head = head();
        int end = head.bodyStart + task.length;
        for (int filled = head.filled; filled < end; ) {
          filled += socket.receive(received.asSlice(filled, end - filled), 0);
        }
        var body = received.asSlice(head.bodyStart, task.length);
        if (body.mismatch(expected.asSlice(position, task.length)) != -1) {
          throw new IOException("Expected the bytes of the file but found others at " + position);
        }
      }
      return COMPARED;
    }

    long load(long end) throws IOException {
      long requests = 0;
      while (System.nanoTime() < end) {
        request();
        var head = head();
        int remaining = head.bodyStart + task.length - head.filled;
        while (remaining > 0) {
          remaining -= socket.receive(received.asSlice(0, remaining), Socket.MSG_TRUNC);
        }
        requests++;
      }
      return requests;
    }

    private long request() throws IOException {
      long position = random.nextLong(expected.byteSize() - task.length + 1);
      var text =
          "GET %s HTTP/1.1\r\nHost: localhost\r\nRange: bytes=%d-%d\r\n\r\n"
              .formatted(task.path, position, position + task.length - 1);
      var bytes = MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
      requestBuffer.copyFrom(bytes);
      socket.send(requestBuffer.asSlice(0, bytes.byteSize()));
      return position;
    }

    /// Reads the response head, and the bytes of the body that arrive with it.
    private Head head() throws IOException {
      int filled = 0;
      int bodyStart = -1;
      while (bodyStart < 0) {
        filled += socket.receive(received.asSlice(filled, HEAD_BYTES - filled), 0);
        bodyStart = bodyStart(filled);
      }
      if (received.get(JAVA_BYTE, 9) != '2' || received.get(JAVA_BYTE, 11) != '6') {
        throw new IOException("Expected a 206 but found another status at " + task.path);
      }
      return new Head(bodyStart, filled);
    }

    private int bodyStart(int filled) {
      for (int i = 0; i + 4 <= filled; i++) {
        if (received.get(JAVA_BYTE, i) == '\r'
            && received.get(JAVA_BYTE, i + 1) == '\n'
            && received.get(JAVA_BYTE, i + 2) == '\r'
            && received.get(JAVA_BYTE, i + 3) == '\n') {
          return i + 4;
        }
      }
      return -1;
    }
  }

  private record Head(int bodyStart, int filled) {}

  /// A socket of the C library: Java's sockets cannot pass `MSG_TRUNC`.
  private record Socket(int descriptor) {
    /// Makes the kernel count bytes as received but discard them.
    static final int MSG_TRUNC = 0x20;

    private static final int MSG_NOSIGNAL = 0x4000;
    private static final short AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private static final MethodHandle SOCKET =
        function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CONNECT =
        function("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SEND =
        function("send", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECV =
        function("recv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);

    static Socket connect(int port, Arena arena) throws IOException {
      var address = arena.allocate(16, 8);
      address.set(JAVA_SHORT, 0, AF_INET);
      address.set(JAVA_SHORT, 2, Short.reverseBytes((short) port));
      MemorySegment.copy(LOOPBACK, 0, address, JAVA_BYTE, 4, LOOPBACK.length);
      try {
        int descriptor = (int) SOCKET.invokeExact((int) AF_INET, SOCK_STREAM, 0);
        if ((int) CONNECT.invokeExact(descriptor, address, 16) != 0) {
          throw new IOException("Expected a server but found none at port " + port);
        }
        return new Socket(descriptor);
      } catch (Throwable failure) {
        throw thrown(failure);
      }
    }

    void send(MemorySegment bytes) throws IOException {
      try {
        long sent = (long) SEND.invokeExact(descriptor, bytes, bytes.byteSize(), MSG_NOSIGNAL);
        if (sent != bytes.byteSize()) {
          throw new IOException("Expected to send a request but found the connection closed");
        }
      } catch (Throwable failure) {
        throw thrown(failure);
      }
    }

    int receive(MemorySegment bytes, int flags) throws IOException {
      try {
        long received = (long) RECV.invokeExact(descriptor, bytes, bytes.byteSize(), flags);
        if (received <= 0) {
          throw new IOException("Expected a response but found the connection closed");
        }
        return Math.toIntExact(received);
      } catch (Throwable failure) {
        throw thrown(failure);
      }
    }

    void close() {
      try {
        int ignored = (int) CLOSE.invokeExact(descriptor);
      } catch (Throwable failure) {
        throw new AssertionError(failure);
      }
    }

    private static MethodHandle function(
        String name, MemoryLayout result, MemoryLayout... parameters) {
      var linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, parameters));
    }

    private static IOException thrown(Throwable failure) {
      return failure instanceof IOException known ? known : new IOException(failure);
    }
  }
}
