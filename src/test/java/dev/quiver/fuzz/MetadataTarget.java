package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterDecoder;
import dev.quiver.arrow.metadata.FooterEncoder;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageCompleteness;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageEncoder;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SparseTensorHeader;
import dev.quiver.arrow.metadata.MessageHeader.TensorHeader;
import dev.quiver.arrow.metadata.MessageOutline;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A fuzz target for the metadata of a message or footer. Content that decodes must be the same
/// after it is encoded and decoded again.
public final class MetadataTarget {

  private MetadataTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    MemorySegment bytes = MemorySegment.ofArray(input).asReadOnly();
    Rejections.allow(() -> checkMessage(bytes));
    Rejections.allow(() -> checkFooter(bytes));
  }

  private static void checkMessage(MemorySegment bytes) {
    MessageOutline outline = MessageOutline.of(bytes);
    Message message = MessageDecoder.decode(bytes, Limits.DEFAULT);
    assertThat(outline.bodyLength()).isEqualTo(message.bodyLength());
    // Neither call may fail, whatever its result.
    MessageCompleteness.isComplete(bytes);
    MessageCompleteness.isStrict(bytes);
    if (message.header() instanceof RecordBatchHeader batch) {
      checkNumbers(batch);
    }
    if (!(message.header() instanceof TensorHeader)
        && !(message.header() instanceof SparseTensorHeader)) {
      Rejections.forbid(() -> {
        MemorySegment encoded = MemorySegment.ofArray(MessageEncoder.encode(message));
        assertThat(MessageCompleteness.isComplete(encoded)).isTrue();
        assertThat(MessageCompleteness.isStrict(encoded)).isTrue();
        Message again = MessageDecoder.decode(encoded, Limits.DEFAULT);
        assertThat(again.header()).isEqualTo(message.header());
        assertThat(again.bodyLength()).isEqualTo(message.bodyLength());
        assertThat(again.customMetadata()).isEqualTo(message.customMetadata());
      });
    }
  }

  /// Checks the numbers that users of the header rely on.
  private static void checkNumbers(RecordBatchHeader batch) {
    for (FieldNode node : batch.nodes()) {
      assertThat(node.length()).isNotNegative();
      assertThat(node.nullCount()).isBetween(-1L, node.length());
    }
    for (Buffer buffer : batch.buffers()) {
      assertThat(buffer.offset()).isNotNegative();
      assertThat(buffer.length()).isBetween(0L, Long.MAX_VALUE - buffer.offset());
    }
  }

  private static void checkBlocks(List<Block> blocks) {
    for (Block block : blocks) {
      assertThat(block.end()).isGreaterThanOrEqualTo(block.offset());
    }
  }

  private static void checkFooter(MemorySegment bytes) {
    Footer footer = FooterDecoder.decode(bytes, Limits.DEFAULT);
    checkBlocks(footer.dictionaries());
    checkBlocks(footer.recordBatches());
    Rejections.forbid(() -> {
      Footer again =
          FooterDecoder.decode(MemorySegment.ofArray(FooterEncoder.encode(footer)), Limits.DEFAULT);
      assertThat(again.schema()).isEqualTo(footer.schema());
      assertThat(again.dictionaries()).isEqualTo(footer.dictionaries());
      assertThat(again.recordBatches()).isEqualTo(footer.recordBatches());
      assertThat(again.customMetadata()).isEqualTo(footer.customMetadata());
    });
  }
}
