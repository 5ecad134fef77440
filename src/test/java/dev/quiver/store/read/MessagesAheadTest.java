package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.ScratchMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The number of messages that begin ahead, the order in which they are written, and the time of
/// their failures.
class MessagesAheadTest {

  @TempDir private Path folder;

  private final Bytes bytes = new Bytes();
  private final MessageWriter writer = new MessageWriter(bytes);
  private final List<String> events = new ArrayList<>();

  private MessagesAhead.Beginning<Block> messagesOf(long byteSize) {
    return (index, arena, memory) -> {
      events.add("begin " + index);
      MemorySegment message = memory.allocate(byteSize, 8);
      LittleEndian.setInt64(message, 0, index);
      return () -> {
        events.add("write " + index);
        assertThat(arena.scope().isAlive()).isTrue();
        writer.write(message.asSlice(0, 8));
        return new Block(index, 0, 0);
      };
    };
  }

  private void write(int count, MessagesAhead.Beginning<Block> beginning) throws IOException {
    write(count, 0, beginning);
  }

  private void write(int count, long bodyByteSize, MessagesAhead.Beginning<Block> beginning)
      throws IOException {
    try (MessagesAhead<Block> ahead = new MessagesAhead<>(count, _ -> bodyByteSize, folder)) {
      for (int i = 0; i < count; i++) {
        assertThat(ahead.finishNext(beginning).offset()).isEqualTo(i);
      }
    }
    for (int i = 0; i < count; i++) {
      assertThat(LittleEndian.getInt64(bytes.segment(), 8L * i)).isEqualTo(i);
    }
  }

  @Test
  void smallMessagesBeginBeforeEarlierOnesAreWritten() throws IOException {
    write(50, messagesOf(100));
    assertThat(events).hasSize(100);
    assertThat(events.indexOf("begin 15")).isLessThan(events.indexOf("write 0"));
    assertThat(events.indexOf("begin 16")).isGreaterThan(events.indexOf("write 0"));
    assertThat(events.indexOf("begin 16")).isLessThan(events.indexOf("write 1"));
  }

  @Test
  void largeMessagesBeginOneAtATime() throws IOException {
    write(3, messagesOf(20 << 20));
    assertThat(events)
        .containsExactly("begin 0", "write 0", "begin 1", "write 1", "begin 2", "write 2");
  }

  @Test
  void messagesWithLargeStoredBodiesBeginOneAtATime() throws IOException {
    write(3, 20 << 20, messagesOf(8));
    assertThat(events)
        .containsExactly("begin 0", "write 0", "begin 1", "write 1", "begin 2", "write 2");
  }

  @Test
  void writesNothingWithoutMessages() throws IOException {
    write(0, messagesOf(1));
    assertThat(events).isEmpty();
  }

  @Test
  void failureOfAMessageIsThrownWhenItsTurnComes() throws IOException {
    for (Exception failure :
        List.of(new IOException("damaged"), new UncheckedIOException(new IOException("full")))) {
      events.clear();
      try (MessagesAhead<Block> ahead = new MessagesAhead<>(3, _ -> 0, folder)) {
        MessagesAhead.Beginning<Block> valid = messagesOf(100);
        MessagesAhead.Beginning<Block> beginning =
            (index, arena, memory) -> {
              if (index == 1) {
                rethrow(failure);
              }
              return valid.begin(index, arena, memory);
            };
        ahead.finishNext(beginning);
        assertThatThrownBy(() -> ahead.finishNext(beginning)).isSameAs(failure);
      }
      assertThat(events).containsExactly("begin 0", "begin 2", "write 0");
    }
  }

  @Test
  void reusesScratchMemory() throws IOException {
    List<ScratchMemory> memories = new ArrayList<>();
    MessagesAhead.Beginning<Block> valid = messagesOf(100);
    write(
        100,
        (index, arena, memory) -> {
          if (!memories.contains(memory)) {
            memories.add(memory);
          }
          return valid.begin(index, arena, memory);
        });
    assertThat(memories).hasSizeLessThanOrEqualTo(16);
  }

  private static void rethrow(Exception failure) throws IOException {
    switch (failure) {
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new AssertionError(failure);
    }
  }
}
