package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.OverloadedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that memory for decoding is in flight from before the library allocates it until it is
/// freed.
class ZstandardSourceTest {

  /// The charge for coded bytes, content, and the library's context.
  private static final long BASE = (64 << 10) + (128 << 10) + (96 << 10);

  private static final long BLOCK = 128 << 10;
  private static final long LARGEST = (8 << 20) + 3 * BLOCK;

  private final InFlightBytes inFlight = new InFlightBytes(100 << 20);

  /// Encodes content of unknown size, as a stream.
  private static byte[] streamed(int level, int windowExponent) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (ZstdOutputStream encoder = new ZstdOutputStream(coded, level)) {
      if (windowExponent > 0) {
        encoder.setWindowLog(windowExponent);
      }
      encoder.write("content".getBytes());
      encoder.flush();
    }
    return coded.toByteArray();
  }

  private static byte[] skippable() {
    return new byte[] {0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 's', 'k', 'i', 'p'};
  }

  private static ByteSource inPieces(int pieceByteSize, byte[]... frames) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    Arrays.stream(frames).forEach(joined::writeBytes);
    ByteSource whole = ByteSource.of(MemorySegment.ofArray(joined.toByteArray()));
    return destination ->
        whole.read(destination.asSlice(0, Math.min(destination.byteSize(), pieceByteSize)));
  }

  /// Returns the bytes in flight during the last read of coded bytes. Fails if any remain
  /// afterwards.
  private static long taken(InFlightBytes inFlight, ByteSource coded) throws IOException {
    long[] last = {0};
    ByteSource watched =
        destination -> {
          last[0] = inFlight.taken();
          return coded.read(destination);
        };
    try (ZstandardSource source = new ZstandardSource(watched, inFlight)) {
      assertThat(inFlight.taken()).isEqualTo(BASE);
      MemorySegment content = MemorySegment.ofArray(new byte[1 << 16]);
      while (source.read(content) >= 0) {}
      assertThat(inFlight.taken()).isZero();
      assertThat(source.read(content)).isEqualTo(-1);
    } finally {
      assertThat(inFlight.taken()).isZero();
    }
    return last[0];
  }

  private long taken(byte[]... frames) throws IOException {
    return taken(inFlight, inPieces(1 << 16, frames));
  }

  @ParameterizedTest
  @CsvSource({"-5, 19", "1, 19", "2, 20", "3, 21", "9, 22", "19, 23"})
  void chargesTheWindowOfTheLevel(int level, int exponent) throws IOException {
    assertThat(taken(streamed(level, 0))).isEqualTo(BASE + (1L << exponent) + 3 * BLOCK);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 14, 17, 18, 23})
  void chargesBlocksNoLargerThanTheWindow(int exponent) throws IOException {
    long window = 1L << exponent;
    assertThat(taken(streamed(3, exponent))).isEqualTo(BASE + window + 3 * Math.min(window, BLOCK));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 300, 100_000, 1_000_000})
  void chargesContentOfKnownSizeAsItsOwnWindow(int byteSize) throws IOException {
    assertThat(taken(Zstd.compress(new byte[byteSize])))
        .isEqualTo(BASE + byteSize + 3 * Math.min(byteSize, BLOCK));
  }

  @Test
  void chargesTheLargestOfSeveralFrames() throws IOException {
    byte[] small = streamed(3, 18);
    byte[] large = streamed(3, 20);
    long needed = BASE + (1 << 20) + 3 * BLOCK;
    assertThat(taken(small, large)).isEqualTo(needed);
    assertThat(taken(skippable(), large, Zstd.compress(new byte[9]), small, large, skippable()))
        .isEqualTo(needed);
  }

  @Test
  void chargesEachFrameAsItArrives() throws IOException {
    ByteSource coded = inPieces(1 << 16, streamed(3, 18), streamed(3, 20));
    try (ZstandardSource source = new ZstandardSource(coded, inFlight)) {
      MemorySegment content = MemorySegment.ofArray(new byte[7]);
      assertThat(source.read(content)).isEqualTo(7);
      assertThat(inFlight.taken()).isEqualTo(BASE + (1 << 18) + 3 * BLOCK);
      assertThat(source.read(content)).isEqualTo(7);
      assertThat(inFlight.taken()).isEqualTo(BASE + (1 << 20) + 3 * BLOCK);
    }
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void chargesNoWindowForEmptyInputAndSkippableFrames() throws IOException {
    assertThat(taken(skippable(), skippable())).isEqualTo(BASE);
    assertThat(taken()).isEqualTo(BASE);
  }

  /// The charge does not wait for the rest of the header, since the library may allocate as soon as
  /// it arrives.
  @Test
  void chargesTheMaximumForATruncatedHeader() throws IOException {
    byte[] small = streamed(3, 10);
    for (int pieceByteSize = 1; pieceByteSize < 6; pieceByteSize++) {
      assertThat(taken(inFlight, inPieces(pieceByteSize, small))).isEqualTo(BASE + LARGEST);
    }
    assertThat(taken(inFlight, inPieces(6, small))).isEqualTo(BASE + 4 * 1024);
    assertThat(taken(inFlight, inPieces(4, skippable(), skippable()))).isEqualTo(BASE);
  }

  @Test
  void chargesTheMaximumBeforeItRejectsALargerWindow() throws IOException {
    ByteSource coded = inPieces(1 << 16, streamed(3, 24));
    try (ZstandardSource source = new ZstandardSource(coded, inFlight)) {
      assertThatThrownBy(() -> source.read(MemorySegment.ofArray(new byte[1])))
          .isInstanceOf(InputException.class)
          .hasMessageStartingWith("Expected a Zstandard frame with a window of at most 8388608");
      assertThat(inFlight.taken()).isEqualTo(BASE + LARGEST);
    }
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void rejectsAFrameOverTheLimit() throws IOException {
    byte[] first = streamed(3, 18);
    byte[] second = streamed(3, 20);
    long needed = BASE + (1 << 20) + 3 * BLOCK;
    assertThat(taken(new InFlightBytes(needed), inPieces(1 << 16, first, second)))
        .isEqualTo(needed);
    assertThatThrownBy(() -> taken(new InFlightBytes(needed - 1), inPieces(1 << 16, first, second)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most %d bytes in flight (in-flight-bytes) but found %d at"
                + " byte offset %d",
            needed - 1, needed, first.length);
    assertThatThrownBy(() -> taken(new InFlightBytes(BASE - 1), inPieces(1, first)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most %d bytes in flight (in-flight-bytes) but found %d", BASE - 1, BASE);
  }

  @Test
  void asksToRetryIfOtherChargesLeaveNoRoom() throws IOException {
    byte[] coded = streamed(3, 23);
    InFlightBytes shared = new InFlightBytes(BASE + LARGEST);
    try (InFlightBytes.Charge others = shared.open();
        ZstandardSource source = new ZstandardSource(inPieces(1 << 16, coded), shared)) {
      others.take(1, InputLocation.UNKNOWN);
      assertThatThrownBy(() -> source.read(MemorySegment.ofArray(new byte[1])))
          .isInstanceOf(OverloadedException.class);
      assertThat(shared.taken()).isEqualTo(BASE + 1);
    }
    assertThat(taken(shared, inPieces(1 << 16, coded))).isEqualTo(BASE + LARGEST);
  }
}
