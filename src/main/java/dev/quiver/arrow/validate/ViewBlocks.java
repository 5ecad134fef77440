package dev.quiver.arrow.validate;

import static dev.quiver.arrow.array.Array.BinaryView.INLINE_BYTE_SIZE_MAX;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.validate.kernel.Blocks;
import dev.quiver.arrow.validate.kernel.Utf8Automaton;
import dev.quiver.arrow.validate.kernel.Utf8Index;
import dev.quiver.arrow.validate.kernel.Utf8Search;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A check of blocks of views by the rules of [ViewRules].
///
/// Whether a view is inline is unpredictable, so views are first partitioned without branches. Most
/// writers produce ascending references; these are followed in a heap copy of the referenced bytes.
final class ViewBlocks {

  private static final int BYTES_OFFSET = 4;

  /// The substitute size of every reference.
  private static final int REFERENCE = INLINE_BYTE_SIZE_MAX + 1;

  /// The bits of either half that must be zero in an inline view of each size.
  private static final long[] FIRST_PADDING = new long[REFERENCE + 1];

  private static final long[] SECOND_PADDING = new long[REFERENCE + 1];

  static {
    for (int size = 0; size < INLINE_BYTE_SIZE_MAX; size++) {
      FIRST_PADDING[size] = size < BYTES_OFFSET ? -1L << 8 * (BYTES_OFFSET + size) : 0;
      SECOND_PADDING[size] = size < BYTES_OFFSET ? -1 : -1L << 8 * (size - BYTES_OFFSET);
    }
  }

  private final List<Utf8Index> buffers;
  private final Blocks blocks;
  private final boolean text;
  private final int[] references;
  private final int[] texts;

  /// @param length the maximum number of views in a block
  ViewBlocks(List<Utf8Index> buffers, Blocks blocks, boolean text, int length) {
    this.buffers = buffers;
    this.blocks = blocks;
    this.text = text;
    this.references = new int[length];
    this.texts = new int[length];
  }

  /// @param halves the views, the first half of each and then the second
  boolean areSound(long[] halves, int length) {
    int referenceCount = 0;
    int textCount = 0;
    long wrong = 0;
    for (int i = 0; i < length; i++) {
      long first = halves[2 * i];
      long second = halves[2 * i + 1];
      int size = (int) first;
      // All ones if the size, taken as unsigned, is too large for an inline view.
      int reference = (int) (INLINE_BYTE_SIZE_MAX - (size & 0xFFFF_FFFFL) >> Integer.SIZE);
      int kind = size & ~reference | REFERENCE & reference;
      wrong |= first & FIRST_PADDING[kind] | second & SECOND_PADDING[kind];
      references[referenceCount] = i;
      referenceCount -= reference;
      texts[textCount] = i;
      long nonAscii = (first >>> Integer.SIZE | second) & Utf8Search.NON_ASCII_BITS;
      textCount += (int) (-nonAscii >>> Long.SIZE - 1 | nonAscii >>> Long.SIZE - 1) & ~reference;
    }
    return wrong == 0
        && (!text || areInlineText(halves, textCount))
        && areReferencesSound(halves, referenceCount);
  }

  /// Checks inline values with their padding, since zeros are valid text, too.
  private boolean areInlineText(long[] halves, int count) {
    long states = Utf8Automaton.START;
    for (int i = 0; i < count; i++) {
      states |= inlineState(halves[2 * texts[i]], halves[2 * texts[i] + 1]);
    }
    return Utf8Automaton.isBetweenCharacters(states);
  }

  /// Returns the automaton's state after an inline value and its padding.
  static long inlineState(long first, long second) {
    long word = first >>> Integer.SIZE | second << Integer.SIZE;
    long state = Utf8Automaton.steps(Utf8Automaton.START, word);
    return Utf8Automaton.steps(state, second >>> Integer.SIZE);
  }

  private boolean areReferencesSound(long[] halves, int count) {
    int next;
    for (int i = 0; i < count; i = next) {
      if (!isInBounds(halves, references[i])) {
        return false;
      }
      int buffer = (int) halves[2 * references[i] + 1];
      long start = offset(halves, references[i]);
      long end = start + size(halves, references[i]);
      // A reference longer than a block is checked on its own.
      for (next = i + 1; next < count && end - start <= Blocks.BYTE_SIZE; next++) {
        int view = references[next];
        long viewEnd = offset(halves, view) + size(halves, view);
        if ((int) halves[2 * view + 1] != buffer
            || !isInBounds(halves, view)
            || offset(halves, view) < start
            || viewEnd > start + Blocks.BYTE_SIZE) {
          break;
        }
        end = Math.max(end, viewEnd);
      }
      if (!areSound(halves, i, next, start, end, buffers.get(buffer))) {
        return false;
      }
    }
    return true;
  }

  /// Checks references that lie close together in one buffer.
  private boolean areSound(
      long[] halves, int from, int to, long start, long end, Utf8Index buffer) {
    MemorySegment data = buffer.segment();
    Blocks.Text all = text ? buffer.text() : Blocks.Text.ASCII;
    if (to - from == 1 || all == null) {
      for (int i = from; i < to; i++) {
        if (!isSound(halves, references[i], buffer)) {
          return false;
        }
      }
      return true;
    }
    if (all == Blocks.Text.OTHER) {
      return false;
    }
    // The byte after the last one shows whether a character ends there.
    int byteSize = (int) (Math.min(end + 1, data.byteSize()) - start);
    byte[] bytes = blocks.bytes(data, start, byteSize);
    for (int i = from; i < to; i++) {
      int view = references[i];
      int viewStart = (int) (offset(halves, view) - start);
      int viewEnd = viewStart + size(halves, view);
      int prefix = (int) (halves[2 * view] >>> Integer.SIZE);
      if (Blocks.int32(bytes, Blocks.TEXT_START + viewStart) != prefix) {
        return false;
      }
      if (all == Blocks.Text.UTF8
          && (Utf8Search.isContinuation((byte) prefix)
              || viewEnd < byteSize
                  && Utf8Search.isContinuation(bytes[Blocks.TEXT_START + viewEnd]))) {
        return false;
      }
    }
    return true;
  }

  private boolean isSound(long[] halves, int view, Utf8Index buffer) {
    long start = offset(halves, view);
    int prefix = (int) (halves[2 * view] >>> Integer.SIZE);
    return LittleEndian.getInt32(buffer.segment(), start) == prefix
        && (!text || buffer.isValid(start, start + size(halves, view)));
  }

  private boolean isInBounds(long[] halves, int view) {
    int buffer = (int) halves[2 * view + 1];
    if (size(halves, view) < 0 || buffer < 0 || buffer >= buffers.size()) {
      return false;
    }
    long offset = offset(halves, view);
    return offset >= 0 && size(halves, view) <= buffers.get(buffer).segment().byteSize() - offset;
  }

  private static int size(long[] halves, int view) {
    return (int) halves[2 * view];
  }

  private static long offset(long[] halves, int view) {
    return halves[2 * view + 1] >> Integer.SIZE;
  }
}
