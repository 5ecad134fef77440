package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.ViewBuffers;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// The rules for storing a body verbatim. Its buffers, and the data after it, start on multiples of
/// 8. No buffer overlaps another. Its header states all null counts, and all clients find the
/// lengths of its compressed buffers.
public final class CanonicalBody {

  private static final int ALIGNMENT = 8;

  private CanonicalBody() {}

  /// Returns whether a body follows the rules. The offset of an empty buffer is meaningless. A null
  /// count of -1 is not in the specification, and Polars then reads nulls as values.
  ///
  /// @param fields of the batch, or the one field of a dictionary
  public static boolean isCanonical(List<Field> fields, RecordBatchHeader header, long bodyLength) {
    List<Buffer> buffers = header.buffers();
    return Padding.isAligned(bodyLength, ALIGNMENT)
        && isDisjoint(header, bodyLength)
        && compressedViewData(fields, header).stream()
            .noneMatch(position -> buffers.get(position).length() == 0)
        && header.nodes().stream().allMatch(node -> node.nullCount() >= 0)
        && buffers.stream()
            .allMatch(
                buffer -> buffer.length() == 0 || Padding.isAligned(buffer.offset(), ALIGNMENT));
  }

  /// Returns whether the buffers fit the body without overlaps, so that it gets no larger when they
  /// are written one after the other. Gaps between buffers may hide an overlap, up to the size of
  /// the gaps.
  public static boolean isDisjoint(RecordBatchHeader header, long bodyLength) {
    long remaining = bodyLength;
    for (Buffer buffer : header.buffers()) {
      remaining -= Math.min(buffer.length(), remaining + 1);
    }
    return remaining >= 0;
  }

  /// Limits the overlap of buffers, so that the body does not get disproportionately large when
  /// they are written one after the other.
  public static void requireBounded(
      RecordBatchHeader header, long bodyLength, Limits limits, InputLocation place) {
    long total = 0;
    for (Buffer buffer : header.buffers()) {
      total += Math.min(buffer.length(), Long.MAX_VALUE - total);
    }
    InputLocation buffers = InputLocation.detail("RecordBatch.buffers").within(place);
    limits.bodyBytes().check(total, "bytes in a body", buffers);
    limits
        .decompressionRatio()
        .check(total / Math.max(1, bodyLength), "bytes of buffers per byte of a body", buffers);
  }

  /// Returns the buffers of `body`, moved to multiples of 64, with the nulls of each array counted.
  ///
  /// @param columns the valid arrays read from the body, whose buffers therefore all lie in it
  /// @throws dev.quiver.arrow.memory.InputException as for [#requireBounded]
  public static EncodedBody realigned(
      RecordBatchHeader header,
      List<ArrayData> columns,
      MemorySegment body,
      Limits limits,
      InputLocation place) {
    requireBounded(header, body.byteSize(), limits, place);
    List<MemorySegment> buffers = new ArrayList<>(header.buffers().size());
    List<Field> fields = columns.stream().map(ArrayData::field).toList();
    BitSet viewData = compressedViewData(fields, header);
    for (int i = 0; i < header.buffers().size(); i++) {
      Buffer buffer = header.buffers().get(i);
      if (buffer.length() == 0) {
        buffers.add(viewData.get(i) ? EncodedBody.EMPTY_WITH_LENGTH : MemorySegment.NULL);
        continue;
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
