package dev.quiver.arrow.text;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// The bytes of text and binary, slot by slot. Long slots are read in parts, and cut if they are
/// longer than a maximum: [#ellipsis] follows their last part.
///
/// First [#seek] a slot, then read the part from [#start] to [#end] of [#bytes], then move to the
/// [#next]. All parts but the last have [ByteWindow#BYTE_SIZE_MAX] bytes.
abstract sealed class SlotBytes {

  private byte[] bytes = {};
  private int start;
  private int end;

  private ByteWindow window = new ByteWindow(MemorySegment.NULL);

  /// The range after this part.
  private long restByteOffset;

  private long restByteSize;

  private static final PreparedText ELLIPSIS =
      PreparedText.of("…".getBytes(StandardCharsets.UTF_8));

  /// The continuation bytes of a character of UTF-8.
  private static final int CONTINUATION_BYTES_MAX = 3;

  private final long maximumByteSize;
  private final boolean isText;
  private boolean cut;

  private SlotBytes(long maximumByteSize, boolean isText) {
    this.maximumByteSize = maximumByteSize;
    this.isText = isText;
  }

  /// Returns the bytes of an array of text or binary.
  ///
  /// @param maximumByteSize of a slot that is not cut
  static SlotBytes of(ArrayData array, long maximumByteSize) {
    return of(array, maximumByteSize, false);
  }

  /// Returns the bytes of an array of valid text, which is cut between characters.
  ///
  /// @param maximumByteSize of a slot that is not cut
  static SlotBytes ofText(ArrayData array, long maximumByteSize) {
    return of(array, maximumByteSize, true);
  }

  private static SlotBytes of(ArrayData array, long maximumByteSize, boolean isText) {
    return switch ((Array.Bytes) Array.of(array)) {
      case Array.VariableBinary variable -> new Delimited(variable, maximumByteSize, isText);
      case Array.BinaryView views -> new Viewed(views, maximumByteSize, isText);
      case Array.FixedWidth fixed -> new Fixed(fixed, maximumByteSize, isText);
    };
  }

  /// Moves to the first part of a slot.
  abstract void seek(long slot);

  /// Returns an array that may be read up to eight bytes after [#end].
  final byte[] bytes() {
    return bytes;
  }

  final int start() {
    return start;
  }

  final int end() {
    return end;
  }

  /// Returns whether this part is empty, which is the case for empty slots only.
  final boolean isEmpty() {
    return start == end;
  }

  /// Returns whether this is the last part of the slot.
  final boolean isLast() {
    return restByteSize == 0;
  }

  /// Returns whether the slot has more bytes than its parts.
  final boolean isCut() {
    return cut;
  }

  /// Returns the text that marks a cut slot; nothing for others.
  final PreparedText ellipsis() {
    return cut ? ELLIPSIS : PreparedText.NOTHING;
  }

  /// Moves to the next part, if present.
  final boolean next() {
    if (restByteSize == 0) {
      return false;
    }
    part(window, restByteOffset, restByteSize);
    return true;
  }

  /// Moves to the first part of a range.
  final void first(ByteWindow window, long byteOffset, long byteSize) {
    cut = byteSize > maximumByteSize;
    part(window, byteOffset, cut ? cutByteSize(window, byteOffset) : byteSize);
  }

  /// Returns the bytes of the whole characters that fit into the maximum.
  private long cutByteSize(ByteWindow window, long byteOffset) {
    long byteSize = maximumByteSize;
    int least = (int) Math.min(byteSize, CONTINUATION_BYTES_MAX);
    int index = window.locate(byteOffset + byteSize - least, least + 1) + least;
    while (isText && byteSize > 0 && (window.bytes()[index] & 0xC0) == 0x80) {
      index--;
      byteSize--;
    }
    return byteSize;
  }

  private void part(ByteWindow window, long byteOffset, long byteSize) {
    int count = (int) Math.min(byteSize, ByteWindow.BYTE_SIZE_MAX);
    this.start = window.locate(byteOffset, count);
    this.end = start + count;
    this.bytes = window.bytes();
    this.window = window;
    this.restByteOffset = byteOffset + count;
    this.restByteSize = byteSize - count;
  }

  /// Slots between two offsets.
  private static final class Delimited extends SlotBytes {
    private final FixedWidthWindow offsets;
    private final ByteWindow values;

    Delimited(Array.VariableBinary array, long maximumByteSize, boolean isText) {
      super(maximumByteSize, isText);
      int offsetByteWidth = array.large() ? Long.BYTES : Integer.BYTES;
      this.offsets = new FixedWidthWindow(array.offsets(), offsetByteWidth, false);
      this.values = new ByteWindow(array.values());
    }

    @Override
    void seek(long slot) {
      long start = offsets.get(slot);
      first(values, start, offsets.get(slot + 1) - start);
    }
  }

  /// Slots inside a view or at its target.
  private static final class Viewed extends SlotBytes {
    private final ByteWindow views;
    private final ByteWindow[] values;

    Viewed(Array.BinaryView array, long maximumByteSize, boolean isText) {
      super(maximumByteSize, isText);
      this.views = new ByteWindow(array.views());
      this.values = array.dataBuffers().stream().map(ByteWindow::new).toArray(ByteWindow[]::new);
    }

    @Override
    void seek(long slot) {
      long view = slot * Array.BinaryView.VIEW_BYTE_SIZE;
      int index = views.locate(view, Array.BinaryView.VIEW_BYTE_SIZE);
      int byteSize = (int) LittleEndian.getInt64(views.bytes(), index);
      if (byteSize <= Array.BinaryView.INLINE_BYTE_SIZE_MAX) {
        first(views, view + Integer.BYTES, byteSize);
        return;
      }
      long place = LittleEndian.getInt64(views.bytes(), index + Long.BYTES);
      first(values[(int) place], place >>> Integer.SIZE, byteSize);
    }
  }

  /// Slots of the same size.
  private static final class Fixed extends SlotBytes {
    private final ByteWindow values;
    private final long byteWidth;

    Fixed(Array.FixedWidth array, long maximumByteSize, boolean isText) {
      super(maximumByteSize, isText);
      this.values = new ByteWindow(array.values());
      this.byteWidth = array.byteWidth();
    }

    @Override
    void seek(long slot) {
      first(values, slot * byteWidth, byteWidth);
    }
  }
}
