package dev.quiver.validate;

import static dev.quiver.columnar.Array.BinaryView.INLINE_BYTE_SIZE_MAX;
import static dev.quiver.columnar.Array.BinaryView.VIEW_BYTE_SIZE;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.FieldPath;
import dev.quiver.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The rules for views.
///
/// ```text
/// View → Size:4 Bytes:Size Zeros:12-Size            when the size is at most 12
///      | Size:4 Prefix:4 BufferIndex:4 Offset:4
/// ```
final class ViewRules {

  private static final int BYTES_OFFSET = 4;
  private static final int BUFFER_INDEX_OFFSET = 8;
  private static final int OFFSET_OFFSET = 12;

  private final Findings findings;
  private final boolean text;

  ViewRules(Findings findings, boolean text) {
    this.findings = findings;
    this.text = text;
  }

  void check(ArrayData array, FieldPath path, Selection slots) {
    MemorySegment views = array.buffer(BufferRole.VIEWS);
    List<Utf8Index> buffers = array.variadicBuffers().stream().map(Utf8Index::new).toList();
    long end;
    for (long start = slots.next(0); start < slots.length(); start = slots.next(end)) {
      end = slots.runEnd(start);
      for (long i = start; i < end; i++) {
        int byteSize = LittleEndian.getInt32(views, i * VIEW_BYTE_SIZE);
        if (byteSize > INLINE_BYTE_SIZE_MAX) {
          checkReference(views, i, byteSize, buffers, path);
        } else if (byteSize >= 0) {
          checkInline(views, i, byteSize, path);
        } else {
          add(Rule.VIEW_SIZE, path, i, "a size of 0 or more", Integer.toString(byteSize));
        }
        if (findings.isFull()) {
          return;
        }
      }
    }
  }

  private void checkInline(MemorySegment views, long index, int byteSize, FieldPath path) {
    long view = index * VIEW_BYTE_SIZE;
    long first = LittleEndian.getInt64(views, view);
    long second = LittleEndian.getInt64(views, view + Long.BYTES);
    // The size takes four bytes of the first half; a shift by 64 would be one by 0.
    boolean padded =
        byteSize < BYTES_OFFSET
            ? first >>> (BYTES_OFFSET + byteSize << 3) == 0 && second == 0
            : byteSize == INLINE_BYTE_SIZE_MAX || second >>> (byteSize - BYTES_OFFSET << 3) == 0;
    if (!padded) {
      String expected = "zeros after a value of " + byteSize + " bytes";
      add(Rule.VIEW_PADDING, path, index, expected, "other bytes");
    }
    long nonAscii = (first >>> Integer.SIZE | second) & Utf8.NON_ASCII_BITS;
    if (text && nonAscii != 0) {
      checkInlineText(views, index, byteSize, path);
    }
  }

  private void checkInlineText(MemorySegment views, long index, int byteSize, FieldPath path) {
    long start = index * VIEW_BYTE_SIZE + BYTES_OFFSET;
    long invalid = Utf8.firstInvalid(views, start, start + byteSize);
    if (invalid != Utf8.VALID) {
      int found = Utf8.unsigned(views, invalid);
      add(
          Rule.UTF8,
          path,
          index,
          "UTF-8",
          "0x%02x in its byte %d".formatted(found, invalid - start));
    }
  }

  private void checkReference(
      MemorySegment views, long index, int byteSize, List<Utf8Index> buffers, FieldPath path) {
    long view = index * VIEW_BYTE_SIZE;
    int bufferIndex = LittleEndian.getInt32(views, view + BUFFER_INDEX_OFFSET);
    if (bufferIndex < 0 || bufferIndex >= buffers.size()) {
      String expected = "a buffer index from 0 to less than " + buffers.size();
      add(Rule.VIEW_BUFFER_INDEX, path, index, expected, Integer.toString(bufferIndex));
      return;
    }
    Utf8Index buffer = buffers.get(bufferIndex);
    MemorySegment data = buffer.segment();
    int offset = LittleEndian.getInt32(views, view + OFFSET_OFFSET);
    if (offset < 0 || byteSize > data.byteSize() - offset) {
      add(
          Rule.VIEW_RANGE,
          path,
          index,
          "bytes from 0 to " + data.byteSize() + " of data buffer " + bufferIndex,
          "offset " + offset + " and size " + byteSize);
      return;
    }
    int prefix = LittleEndian.getInt32(views, view + BYTES_OFFSET);
    int bytes = LittleEndian.getInt32(data, offset);
    if (prefix != bytes) {
      add(Rule.VIEW_PREFIX, path, index, "the prefix " + hex(bytes), hex(prefix));
    }
    if (text && !buffer.isValid(offset, (long) offset + byteSize)) {
      add(Rule.UTF8, path, index, "UTF-8", "other bytes");
    }
  }

  private void add(Rule rule, FieldPath path, long index, String expected, String found) {
    findings.addAt(rule, path, index, expected, found, "views");
  }

  /// Four bytes in the order in which they lie.
  private static String hex(int bytes) {
    return "0x%08x".formatted(Integer.reverseBytes(bytes));
  }
}
