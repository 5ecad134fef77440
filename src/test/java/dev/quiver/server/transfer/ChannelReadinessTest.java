package dev.quiver.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Waiting for a connection, and the reuse of selectors.
@Timeout(60)
class ChannelReadinessTest {

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private static final int WAIT_COUNT = 8;

  private SocketChannel channel;
  private SocketChannel client;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      client = SocketChannel.open(server.getLocalAddress());
      channel = server.accept();
    }
    channel.configureBlocking(false);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
    client.close();
  }

  @Test
  void waitReportsReadinessOrTimeout() throws IOException {
    try (ChannelReadiness readiness = ChannelReadiness.of(channel)) {
      assertThat(readiness.await(SelectionKey.OP_WRITE, 0)).isTrue();
      assertThat(readiness.await(SelectionKey.OP_READ, 1)).isFalse();
      client.write(ByteBuffer.allocate(1));
      assertThat(readiness.await(SelectionKey.OP_READ, 0)).isTrue();
      // Readiness lasts until the byte is read.
      assertThat(readiness.await(SelectionKey.OP_READ, 0)).isTrue();
      channel.read(ByteBuffer.allocate(1));
      assertThat(readiness.await(SelectionKey.OP_READ, 1)).isFalse();
    }
  }

  @Test
  void interruptEndsTheWaitForAConnection() throws IOException {
    try (ChannelReadiness readiness = ChannelReadiness.of(channel)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> readiness.await(SelectionKey.OP_READ, 0))
          .isInstanceOf(InterruptedIOException.class);
    }
    assertThat(Thread.interrupted()).isTrue();
    assertThat(channel.isOpen()).isTrue();
    // The next user of the selector is not affected.
    try (ChannelReadiness readiness = ChannelReadiness.of(channel)) {
      Thread.ofPlatform().start(() -> send(client));
      assertThat(readiness.await(SelectionKey.OP_READ, 0)).isTrue();
    }
  }

  @Test
  void doesNotWaitForAClosedConnection() throws IOException {
    try (ChannelReadiness readiness = ChannelReadiness.of(channel)) {
      channel.close();
      assertThatThrownBy(() -> readiness.await(SelectionKey.OP_READ, 0))
          .isInstanceOf(ClosedChannelException.class);
    }
    assertThatThrownBy(() -> ChannelReadiness.of(channel))
        .isInstanceOf(ClosedChannelException.class);
  }

  /// The client does not see the close until the wait releases the connection.
  @Test
  void releasesAConnectionClosedDuringTheWait() throws IOException {
    try (ChannelReadiness _ = ChannelReadiness.of(channel)) {
      channel.close();
    }
    assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }

  @Test
  void waitsReuseSelectors() throws IOException {
    assumeTrue(Files.isDirectory(OPEN_FILES), "this system does not list the files of a process");
    Set<String> held = heldBy(WAIT_COUNT);
    // Other threads may close their selectors at any time.
    assertThat(selectors()).hasSizeGreaterThan(held.size() - WAIT_COUNT);
    assertThat(held).containsAll(heldBy(WAIT_COUNT));
    SocketChannel closed = SocketChannel.open();
    closed.close();
    for (int i = 0; i < WAIT_COUNT; i++) {
      assertThatThrownBy(() -> ChannelReadiness.of(closed))
          .isInstanceOf(ClosedChannelException.class);
    }
    assertThat(held).containsAll(heldBy(WAIT_COUNT));
  }

  /// Returns the open selectors of this process during `count` concurrent waits.
  private Set<String> heldBy(int count) throws IOException {
    List<ChannelReadiness> waiting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      waiting.add(ChannelReadiness.of(channel));
    }
    Set<String> held = selectors();
    for (ChannelReadiness readiness : waiting) {
      readiness.close();
    }
    assertThat(channel.isRegistered()).isFalse();
    return held;
  }

  private static Set<String> selectors() throws IOException {
    Set<String> selectors = new TreeSet<>();
    try (Stream<Path> descriptors = Files.list(OPEN_FILES)) {
      for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
        try {
          if (Files.readSymbolicLink(descriptor).toString().equals("anon_inode:[eventpoll]")) {
            selectors.add(descriptor.getFileName().toString());
          }
        } catch (NoSuchFileException e) {
          // The descriptor that lists the others is already closed.
        }
      }
    }
    return selectors;
  }

  private static void send(SocketChannel to) {
    try {
      to.write(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
