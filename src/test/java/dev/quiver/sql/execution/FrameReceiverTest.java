package dev.quiver.sql.execution;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.sql.worker.FrameChannel;
import dev.quiver.sql.worker.FrameType;
import dev.quiver.sql.worker.WorkerFrame;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Frames over a real socket.
@Timeout(60)
class FrameReceiverTest {

  @TempDir private Path folder;
  private FrameChannel service;
  private FrameChannel worker;

  @BeforeEach
  void connect() throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      worker = new FrameChannel(SocketChannel.open(address));
      service = new FrameChannel(server.accept());
    }
  }

  @AfterEach
  void close() throws IOException {
    service.close();
    worker.close();
  }

  @Test
  void framesAreReadUntilTheLastOfAResult() throws IOException {
    worker.write(FrameType.DATA, "a");
    worker.write(FrameType.PROGRESS, "b");
    worker.write(FrameType.DONE);
    worker.write(FrameType.DATA, "of another result");
    try (FrameReceiver frames = new FrameReceiver(service)) {
      assertThat(frames.next(Cancellation.NEVER).text()).isEqualTo("a");
      assertThat(frames.next(Cancellation.NEVER).text()).isEqualTo("b");
      assertThat(frames.next(Cancellation.NEVER).type()).isEqualTo(FrameType.DONE);
    }
    assertThat(service.read().text()).isEqualTo("of another result");
  }

  /// More frames than are read ahead, all of which have been sent when the first is taken.
  @Test
  void framesAreWholeWhileLaterOnesAreRead() throws IOException {
    int count = 3 * FrameChannel.BUFFERS;
    for (int i = 0; i < count; i++) {
      worker.write(FrameType.DATA, String.valueOf(i).repeat(100));
    }
    worker.write(FrameType.DONE);
    try (FrameReceiver frames = new FrameReceiver(service)) {
      for (int i = 0; i < count; i++) {
        WorkerFrame frame = frames.next(Cancellation.NEVER);
        eventually(FrameReceiverTest::requireNoReading);
        assertThat(frame.text()).isEqualTo(String.valueOf(i).repeat(100));
      }
      assertThat(frames.next(Cancellation.NEVER).type()).isEqualTo(FrameType.DONE);
    }
  }

  /// A result that comes fast is cancelled as a slow one is.
  @Test
  void looksForACancellationThoughFramesKeepComing() throws Exception {
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                while (true) {
                  worker.write(FrameType.DATA, "more");
                }
              } catch (IOException e) {
                // The test is over.
              }
            });
    try (FrameReceiver frames = new FrameReceiver(service)) {
      Cancellation cancellation = Cancellation.when(() -> true);
      assertThatThrownBy(
              () -> {
                while (true) {
                  frames.next(cancellation);
                }
              })
          .isInstanceOf(CancelledException.class);
    }
    worker.close();
    writer.join();
  }

  /// Requires that no thread reads frames: each has ended, or waits until one is given back.
  private static void requireNoReading() {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("file-result"))
        .extracting(Thread::getState)
        .isSubsetOf(Thread.State.WAITING, Thread.State.TERMINATED);
  }

  @Test
  void clientThatLeavesEndsTheWait() {
    AtomicInteger asked = new AtomicInteger();
    try (FrameReceiver frames = new FrameReceiver(service)) {
      assertThatThrownBy(() -> frames.next(Cancellation.when(() -> asked.incrementAndGet() >= 2)))
          .isInstanceOf(CancelledException.class);
    }
    assertThat(asked).hasValue(2);
  }

  @Test
  void reportsTheEndOfTheWorker() throws IOException {
    worker.write(FrameType.DATA, "a");
    worker.close();
    try (FrameReceiver frames = new FrameReceiver(service)) {
      assertThat(frames.next(Cancellation.NEVER).text()).isEqualTo("a");
      assertThatThrownBy(() -> frames.next(Cancellation.NEVER)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void frameBeyondTheMaximumIsRejected() throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("hostile"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      try (SocketChannel hostile = SocketChannel.open(address);
          FrameChannel frames = new FrameChannel(server.accept())) {
        byte type = (byte) FrameType.DATA.ordinal();
        ByteBuffer header = ByteBuffer.allocate(5).order(ByteOrder.LITTLE_ENDIAN);
        hostile.write(header.put(type).putInt(WorkerFrame.PAYLOAD_BYTE_SIZE_MAXIMUM + 1).flip());
        hostile.shutdownOutput();
        assertThatThrownBy(frames::read)
            .hasMessage("Expected a frame but found type %d and 67108865 bytes".formatted(type));
      }
    }
  }
}
