package dev.quiver.arrow.validate;

import static dev.quiver.arrow.array.Array.BinaryView.INLINE_BYTE_SIZE_MAX;
import static dev.quiver.arrow.array.Array.BinaryView.VIEW_BYTE_SIZE;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.validate.kernel.Blocks;
import dev.quiver.arrow.validate.kernel.Utf8Automaton;
import dev.quiver.arrow.validate.kernel.Utf8Index;
import dev.quiver.arrow.validate.kernel.Utf8Search;
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

  private static final int SLOTS = Blocks.BYTE_SIZE / VIEW_BYTE_SIZE;
  private static final int LONGS_PER_VIEW = VIEW_BYTE_SIZE / Long.BYTES;

  private final Findings findings;
  private final Blocks blocks;
  private final boolean text;

  ViewRules(Findings findings, Blocks blocks, boolean text) {
    this.findings = findings;
    this.blocks = blocks;
    this.text = text;
  }

  void check(ArrayData array, FieldPath path, ObservedRange slots) {
    MemorySegment views = array.buffer(BufferRole.VIEWS);
    List<Utf8Index> buffers =
        array.variadicBuffers().stream().map(buffer -> new Utf8Index(buffer, blocks)).toList();
    ViewBlocks viewBlocks = new ViewBlocks(buffers, blocks, text, SLOTS);
    ObservedRange walked = CachingSelection.of(slots);
    long start = walked.next(0);
    while (start < slots.length() && !findings.isFull()) {
      int length = (int) Math.min(SLOTS, slots.length() - start);
      long[] halves = blocks.int64s(views, start * LONGS_PER_VIEW, length * LONGS_PER_VIEW);
      start =
          viewBlocks.areSound(halves, length)
              ? walked.next(start + length)
              : check(halves, start, length, buffers, path, walked);
    }
  }

  /// Checks the views of a block, which starts with an observed slot.
  ///
  /// @param halves the views, the first half of each and then the second
  /// @return the first observed slot after the block
  private long check(
      long[] halves,
      long first,
      int length,
      List<Utf8Index> buffers,
      FieldPath path,
      ObservedRange slots) {
    long start = first;
    while (start < first + length) {
      long end = Math.min(first + length, slots.runEnd(start));
      for (long i = start; i < end; i++) {
        int half = (int) (i - first) * LONGS_PER_VIEW;
        check(halves[half], halves[half + 1], i, buffers, path);
        if (findings.isFull()) {
          return end;
        }
      }
      start = slots.next(end);
    }
    return start;
  }

  private void check(
      long firstHalf, long secondHalf, long index, List<Utf8Index> buffers, FieldPath path) {
    int byteSize = (int) firstHalf;
    if (byteSize > INLINE_BYTE_SIZE_MAX) {
      checkReference(firstHalf, secondHalf, index, buffers, path);
    } else if (byteSize >= 0) {
      checkInline(firstHalf, secondHalf, index, path);
    } else {
      add(Rule.VIEW_SIZE, path, index, "a size of 0 or more", Integer.toString(byteSize));
    }
  }

  private void checkInline(long firstHalf, long secondHalf, long index, FieldPath path) {
    int byteSize = (int) firstHalf;
    // The size takes four bytes of the first half. Java would treat a shift by 64 as one by 0.
    boolean padded =
        byteSize < BYTES_OFFSET
            ? firstHalf >>> (BYTES_OFFSET + byteSize << 3) == 0 && secondHalf == 0
            : byteSize == INLINE_BYTE_SIZE_MAX
                || secondHalf >>> (byteSize - BYTES_OFFSET << 3) == 0;
    if (!padded) {
      String expected = "zeros after a value of " + byteSize + " bytes";
      add(Rule.VIEW_PADDING, path, index, expected, "other bytes");
    }
    long bytes = firstHalf >>> Integer.SIZE;
    if (text && ((bytes | secondHalf) & Utf8Search.NON_ASCII_BITS) != 0) {
      long state = ViewBlocks.inlineState(firstHalf, secondHalf);
      // Zeros after the value are valid text, too.
      if (!padded || !Utf8Automaton.isBetweenCharacters(state)) {
        checkInlineText(bytes, secondHalf, byteSize, index, path);
      }
    }
  }

  private void checkInlineText(
      long bytes, long secondHalf, int byteSize, long index, FieldPath path) {
    byte[] inline = new byte[INLINE_BYTE_SIZE_MAX];
    for (int i = 0; i < INLINE_BYTE_SIZE_MAX; i++) {
      inline[i] =
          (byte) (i < BYTES_OFFSET ? bytes >>> 8 * i : secondHalf >>> 8 * (i - BYTES_OFFSET));
    }
    MemorySegment segment = MemorySegment.ofArray(inline);
    long invalid = Utf8Search.firstInvalid(segment, 0, byteSize);
    if (invalid != Utf8Search.VALID) {
      String found = "0x%02x in byte %d".formatted(Utf8Search.unsigned(segment, invalid), invalid);
      add(Rule.UTF8, path, index, "UTF-8", found);
    }
  }

  private void checkReference(
      long firstHalf, long secondHalf, long index, List<Utf8Index> buffers, FieldPath path) {
    int byteSize = (int) firstHalf;
    int bufferIndex = (int) secondHalf;
    if (bufferIndex < 0 || bufferIndex >= buffers.size()) {
      String expected = "a buffer index from 0 to less than " + buffers.size();
      add(Rule.VIEW_BUFFER_INDEX, path, index, expected, Integer.toString(bufferIndex));
      return;
    }
    Utf8Index buffer = buffers.get(bufferIndex);
    MemorySegment data = buffer.segment();
    int offset = (int) (secondHalf >>> Integer.SIZE);
    if (offset < 0 || byteSize > data.byteSize() - offset) {
      add(
          Rule.VIEW_RANGE,
          path,
          index,
          "bytes from 0 to " + data.byteSize() + " of data buffer " + bufferIndex,
          "offset " + offset + " and size " + byteSize);
      return;
    }
    int prefix = (int) (firstHalf >>> Integer.SIZE);
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

  /// Returns four bytes as hexadecimal digits, in memory order.
  private static String hex(int bytes) {
    return "0x%08x".formatted(Integer.reverseBytes(bytes));
  }
}
