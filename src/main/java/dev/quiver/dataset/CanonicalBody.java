package dev.quiver.dataset;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Field;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.ViewBuffers;
import dev.quiver.memory.MalformedInputException;
import dev.quiver.memory.Padding;
import dev.quiver.memory.Place;
import dev.quiver.memory.UnsupportedInputException;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Whether a body may be stored as it is: its buffers, and what follows it, start on multiples of
/// 8, its header says how many nulls there are, and all clients find the lengths of its compressed
/// buffers.
final class CanonicalBody {

  private static final int ALIGNMENT = 8;

  private CanonicalBody() {}

  /// Where a buffer without bytes lies means nothing. A null count of -1 is not in the
  /// specification, and Polars reads nulls as values then.
  ///
  /// @param fields of the batch, or the one of a dictionary
  static boolean isCanonical(List<Field> fields, RecordBatchHeader header, long bodyLength) {
    List<Buffer> buffers = header.buffers();
    return Padding.isAligned(bodyLength, ALIGNMENT)
        && compressedViewData(fields, header).stream()
            .noneMatch(position -> buffers.get(position).length() == 0)
        && header.nodes().stream().allMatch(node -> node.nullCount() >= 0)
        && buffers.stream()
            .allMatch(
                buffer -> buffer.length() == 0 || Padding.isAligned(buffer.offset(), ALIGNMENT));
  }

  /// Whether buffers do not overlap, so that a small body cannot become a large one when its arrays
  /// are written one after the other.
  static boolean isDisjoint(RecordBatchHeader header, long bodyLength) {
    long remaining = bodyLength;
    for (Buffer buffer : header.buffers()) {
      remaining -= Math.min(buffer.length(), remaining + 1);
    }
    return remaining >= 0;
  }

  /// Checks [#isDisjoint].
  static void requireDisjoint(RecordBatchHeader header, long bodyLength, Place place) {
    if (!isDisjoint(header, bodyLength)) {
      throw new UnsupportedInputException(
          "buffers that do not overlap in a body that has to be written anew",
          "buffers of more bytes than the body's " + bodyLength,
          Place.detail("RecordBatch.buffers").within(place));
    }
  }

  /// The buffers of `body`, moved to multiples of 64, and the nulls of each array counted.
  ///
  /// @param columns what was read from the body, and is valid
  /// @throws dev.quiver.memory.InputException when a buffer is not within the body, or buffers
  ///   overlap, so that a small body could become a large one
  static EncodedBody relaid(
      RecordBatchHeader header, List<ArrayData> columns, MemorySegment body, Place place) {
    List<MemorySegment> buffers = new ArrayList<>(header.buffers().size());
    List<Field> fields = columns.stream().map(ArrayData::field).toList();
    BitSet viewData = compressedViewData(fields, header);
    long remaining = body.byteSize();
    for (int i = 0; i < header.buffers().size(); i++) {
      Buffer buffer = header.buffers().get(i);
      Place bufferPlace = Place.detail("RecordBatch.buffers[" + i + "]").within(place);
      if (buffer.length() == 0) {
        buffers.add(viewData.get(i) ? EncodedBody.EMPTY_WITH_LENGTH : MemorySegment.NULL);
        continue;
      }
      if (buffer.offset() > body.byteSize() - buffer.length()) {
        throw new MalformedInputException(
            "a buffer within the body of " + body.byteSize() + " bytes",
            "offset " + buffer.offset() + " and length " + buffer.length(),
            bufferPlace);
      }
      remaining -= buffer.length();
      if (remaining < 0) {
        throw new UnsupportedInputException(
            "buffers on multiples of 8 bytes, or such as do not overlap",
            "buffers of more bytes than the body's " + body.byteSize(),
            bufferPlace);
      }
      buffers.add(body.asSlice(buffer.offset(), buffer.length()));
    }
    RecordBatchHeader counted =
        new RecordBatchHeader(
            header.length(),
            EncodedBody.nodes(columns),
            header.buffers(),
            header.compression(),
            header.variadicBufferCounts());
    return EncodedBody.of(counted, buffers);
  }

  private static BitSet compressedViewData(List<Field> fields, RecordBatchHeader header) {
    return header.compression() == null
        ? new BitSet()
        : ViewBuffers.positions(fields, header.variadicBufferCounts(), header.buffers().size());
  }
}
