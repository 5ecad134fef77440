package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Tests that blocks in native memory decode to the expected content, with [UncheckedLz4Sequences]
/// and without. Damaged blocks fail with the same message as on the heap. The memory around the
/// content stays unchanged.
@Tag("random")
class UncheckedLz4SequencesTest {

  private static final int MARGIN = 64;

  /// A multiple of the page size of every platform.
  private static final long FILE_BYTE_SIZE = 1 << 20;

  /// The kind of memory that holds a block and its content, and how it is accessed.
  private enum Access {
    HEAP,
    CHECKED,
    UNCHECKED
  }

  /// A block and its content.
  private static final class Sequences {
    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private byte[] content = {};

    void add(byte[] literals, int distance, int matchByteSize) {
      write(literals, matchByteSize - 4);
      block.write(distance);
      block.write(distance >>> 8);
      writeRest(matchByteSize - 4);
      int start = content.length;
      content = Arrays.copyOf(content, start + matchByteSize);
      for (int i = start; i < content.length; i++) {
        content[i] = content[i - distance];
      }
    }

    void end(byte[] literals) {
      write(literals, 0);
    }

    private void write(byte[] literals, int match) {
      block.write(Math.min(literals.length, 15) << 4 | Math.min(match, 15));
      writeRest(literals.length);
      block.writeBytes(literals);
      int start = content.length;
      content = Arrays.copyOf(content, start + literals.length);
      System.arraycopy(literals, 0, content, start, literals.length);
    }

    private void writeRest(int length) {
      if (length >= 15) {
        int rest = length - 15;
        for (; rest >= 255; rest -= 255) {
          block.write(255);
        }
        block.write(rest);
      }
    }
  }

  @Test
  void decodesEveryMatchAtEveryDistanceFromTheEnd() {
    Random random = new Random(1);
    for (int distance = 1; distance <= 40; distance++) {
      for (int matchByteSize = 4; matchByteSize <= 44; matchByteSize++) {
        for (int rest = 0; rest <= 66; rest += 1 + random.nextInt(3)) {
          Sequences sequences = new Sequences();
          sequences.add(bytes(random, distance + random.nextInt(3)), distance, matchByteSize);
          sequences.end(bytes(random, rest));
          assertDecoded(sequences);
        }
      }
    }
  }

  @Tag("long")
  @Test
  void copiesLengthsAroundWordAndBulkCopySizes() {
    Random random = new Random(2);
    for (int literals = 0; literals <= 300; literals++) {
      for (int matchByteSize : new int[] {4, 18, 19, 20, 159, 160, 161, 18 + 255, 19 + 255, 600}) {
        for (int distance : new int[] {1, 3, 8, 20, 159, 160, 300, 600}) {
          Sequences sequences = new Sequences();
          sequences.add(bytes(random, 600), 600, 4);
          sequences.add(bytes(random, literals), distance, matchByteSize);
          sequences.end(bytes(random, literals % 70));
          assertDecoded(sequences);
        }
      }
    }
  }

  @Test
  void decodesRandomSequences() {
    for (int seed : Trials.seeds(3000)) {
      assertDecoded(sequences(new Random(seed)));
    }
  }

  @Test
  void damagedBlocksFailAsOnTheHeap() {
    int rejected = 0;
    for (int seed : Trials.seeds(20_000)) {
      Random random = new Random(seed);
      Sequences sequences = sequences(random);
      byte[] block = sequences.block.toByteArray();
      int damages = 1 + random.nextInt(3);
      for (int i = 0; i < damages; i++) {
        block[random.nextInt(block.length)] = (byte) random.nextInt(random.nextBoolean() ? 256 : 3);
      }
      if (random.nextInt(4) == 0) {
        block = Arrays.copyOf(block, random.nextInt(block.length + 1));
      }
      int contentByteSize = Math.max(0, sequences.content.length + random.nextInt(9) - 4);
      String onTheHeap = outcome(block, contentByteSize, Access.HEAP, (byte) 0x5A);
      assertThat(outcome(block, contentByteSize, Access.UNCHECKED, (byte) 0x5A))
          .isEqualTo(onTheHeap);
      assertThat(outcome(block, contentByteSize, Access.UNCHECKED, (byte) 0xA5))
          .isEqualTo(onTheHeap);
      assertThat(outcome(block, contentByteSize, Access.CHECKED, (byte) 0xA5)).isEqualTo(onTheHeap);
      rejected += onTheHeap.startsWith("Expected") ? 1 : 0;
    }
    assertThat(rejected).isBetween(Trials.of(5000), Trials.of(19_000));
  }

  /// The JVM reports every access past the end of a mapped file.
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void accessesNothingPastTheEndOfAFile(@TempDir Path folder) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = mapped(folder.resolve("source"), arena);
      MemorySegment destination = mapped(folder.resolve("destination"), arena);
      for (int seed : Trials.seeds(1000)) {
        Sequences sequences = sequences(new Random(seed));
        byte[] block = sequences.block.toByteArray();
        int contentByteSize = sequences.content.length;
        MemorySegment from = source.asSlice(FILE_BYTE_SIZE - block.length, block.length);
        MemorySegment to = destination.asSlice(FILE_BYTE_SIZE - contentByteSize, contentByteSize);
        from.copyFrom(MemorySegment.ofArray(block));
        long end = new Lz4Block(from, to, true).decode(0, block.length, 0, 0, contentByteSize);
        assertThat(end).isEqualTo(contentByteSize);
        assertThat(to.mismatch(MemorySegment.ofArray(sequences.content))).isEqualTo(-1);
      }
    }
  }

  private static MemorySegment mapped(Path file, Arena arena) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MemorySegment memory =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * FILE_BYTE_SIZE, arena);
      channel.truncate(FILE_BYTE_SIZE);
      assertThatThrownBy(() -> LittleEndian.getInt8(memory, FILE_BYTE_SIZE))
          .isInstanceOf(InternalError.class);
      return memory.asSlice(0, FILE_BYTE_SIZE);
    }
  }

  private static Sequences sequences(Random random) {
    Sequences sequences = new Sequences();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      int literals = random.nextInt(random.nextInt(10) == 0 ? 700 : 1 + random.nextInt(20));
      byte[] bytes = bytes(random, sequences.content.length == 0 ? literals + 1 : literals);
      int window = sequences.content.length + bytes.length;
      int distance = 1 + random.nextInt(Math.min(window, random.nextBoolean() ? 20 : 65_535));
      sequences.add(bytes, distance, 4 + random.nextInt(random.nextInt(10) == 0 ? 700 : 20));
    }
    sequences.end(bytes(random, random.nextInt(80)));
    return sequences;
  }

  private static byte[] bytes(Random random, int byteSize) {
    byte[] bytes = new byte[byteSize];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void assertDecoded(Sequences sequences) {
    byte[] block = sequences.block.toByteArray();
    String expected = Arrays.toString(sequences.content);
    int contentByteSize = sequences.content.length;
    for (Access access : Access.values()) {
      String outcome = outcome(block, contentByteSize, access, (byte) 0x5A);
      // AssertJ describes the values even if they are equal, which is slow.
      if (!outcome.equals(expected)) {
        assertThat(outcome).as(access.name()).isEqualTo(expected);
      }
    }
  }

  /// Returns the content or the error message. Fails if the memory around the content changes.
  private static String outcome(byte[] block, int contentByteSize, Access access, byte before) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = allocate(block.length, access, arena).fill(before);
      MemorySegment.copy(block, 0, source, LittleEndian.INT8, MARGIN, block.length);
      MemorySegment memory = allocate(contentByteSize, access, arena).fill(before);
      String outcome;
      try {
        long end =
            new Lz4Block(
                    source.asSlice(MARGIN, block.length),
                    memory.asSlice(MARGIN - 8, contentByteSize + 16L),
                    access == Access.UNCHECKED)
                .decode(0, block.length, 8, 8, 8 + contentByteSize);
        outcome = Arrays.toString(memory.asSlice(MARGIN, end - 8).toArray(LittleEndian.INT8));
      } catch (InputException e) {
        outcome = String.valueOf(e.getMessage());
      }
      for (int i = 0; i < MARGIN; i++) {
        assertUntouched(memory, i, before);
        // The checked path may write words up to the end of the segment.
        if (i >= 8) {
          assertUntouched(memory, MARGIN + contentByteSize + i, before);
        }
      }
      return outcome;
    }
  }

  private static void assertUntouched(MemorySegment memory, long byteOffset, byte before) {
    if (LittleEndian.getInt8(memory, byteOffset) != before) {
      throw new AssertionError(
          "Expected no write outside the content but found one at byte offset " + byteOffset);
    }
  }

  private static MemorySegment allocate(int byteSize, Access access, Arena arena) {
    int withMargins = byteSize + 2 * MARGIN;
    return access == Access.HEAP
        ? MemorySegment.ofArray(new byte[withMargins])
        : arena.allocate(withMargins, 1);
  }
}
