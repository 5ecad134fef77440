package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.metadata.BodyCompression;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.CompressionType;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecompressionBudgetTest {

  private static final InputLocation LOCATION = InputLocation.detail("buffer");

  private final DecompressionBudget budget =
      new DecompressionBudget(Limits.DEFAULT.decompressionRatio());

  @Test
  void allowsAModerateAmountForTheSmallestBody() {
    budget.addBody(1);
    budget.addBuffer(Limit.FREE_BYTE_SIZE, LOCATION);
    assertThatCode(() -> budget.addBuffer(1000, LOCATION)).doesNotThrowAnyException();
    assertThatThrownBy(() -> budget.addBuffer(1, LOCATION))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 1000 uncompressed bytes per byte of the bodies so far, past the first"
                + " 268435456 (decompression-ratio) but found 1001 at buffer");
  }

  @Test
  void earlierBodiesCountTowardsTheRatio() {
    budget.addBody(1 << 20);
    budget.addBuffer(1 << 20, LOCATION);
    budget.addBody(1 << 20);
    budget.addBuffer(Limit.FREE_BYTE_SIZE + (1999L << 20), LOCATION);
    assertThatThrownBy(() -> budget.addBuffer(1, LOCATION))
        .isInstanceOf(TooLargeInputException.class);
  }

  /// Reads a body of one buffer, which is compressed to a small part of its size.
  private void readBody(long byteSize) {
    MemorySegment body = MemorySegment.ofArray(new byte[20 << 10]);
    LittleEndian.setInt64(body, 0, byteSize);
    RecordBatchHeader header =
        new RecordBatchHeader(
            byteSize,
            List.of(),
            List.of(new Buffer(0, body.byteSize())),
            new BodyCompression(CompressionType.ZSTD),
            List.of());
    new BodyBuffers(header, body, Arena.ofAuto(), Limits.DEFAULT, budget).nextEncoded(byteSize);
  }

  @Test
  void buffersOfSeveralBodiesAreCountedTogether() {
    readBody(200 << 20);
    assertThatThrownBy(() -> readBody(200 << 20))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageEndingWith("(decompression-ratio) but found 3687 at RecordBatch.buffers[0]");
  }
}
