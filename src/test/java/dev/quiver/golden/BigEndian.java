package dev.quiver.golden;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A converter of arrays to big-endian form, number by number from the specified layouts. It shares
/// no code with the reader under test.
final class BigEndian {

  private static final int INLINE_BYTE_SIZE_MAXIMUM = 12;

  private final Map<ArrayData, ArrayData> dictionaries = new HashMap<>();

  /// Returns a big-endian stream of these batches.
  static MemorySegment stream(Schema schema, List<RecordBatch> batches, Codec codec)
      throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    Schema bigEndian = schema.withEndianness(Endianness.BIG);
    StreamWriter writer = new StreamWriter(sink, bigEndian, codec);
    BigEndian arrays = new BigEndian();
    for (RecordBatch batch : batches) {
      List<ArrayData> columns = batch.columns().stream().map(arrays::of).toList();
      writer.write(new RecordBatch(bigEndian, batch.length(), columns));
    }
    writer.close();
    return sink.written();
  }

  /// Converts the array, its children, and its dictionary, which arrays may share.
  ArrayData of(ArrayData array) {
    List<MemorySegment> buffers = new ArrayList<>(array.buffers());
    List<BufferLayout> layouts = array.layout().buffers();
    for (int i = 0; i < layouts.size(); i++) {
      buffers.set(i, of(buffers.get(i), layouts.get(i), array.field().storageType()));
    }
    List<ArrayData> children = array.children().stream().map(this::of).toList();
    ArrayData dictionary = array.dictionary();
    if (dictionary != null && !dictionaries.containsKey(dictionary)) {
      dictionaries.put(dictionary, of(dictionary));
    }
    return new ArrayData(
        array.field(),
        array.length(),
        array.nullCount(),
        buffers,
        children,
        dictionary == null ? null : Objects.requireNonNull(dictionaries.get(dictionary)));
  }

  /// Converts a copy of one buffer of an array with slots or indices of this type.
  static MemorySegment of(MemorySegment buffer, BufferLayout layout, ArrowType type) {
    MemorySegment swapped = Arena.ofAuto().allocate(buffer.byteSize(), 64).copyFrom(buffer);
    int width = (int) (layout.bitWidth() >>> 3);
    switch (layout.role()) {
      case VALIDITY, TYPE_IDS -> {}
      case OFFSETS, SLOT_OFFSETS, SIZES -> reverse(swapped, width);
      case VIEWS -> reverseViews(swapped);
      case DATA -> {
        switch (type) {
          case ArrowType.Int _,
              ArrowType.FloatingPoint _,
              ArrowType.Decimal _,
              ArrowType.Date _,
              ArrowType.Time _,
              ArrowType.Timestamp _,
              ArrowType.Duration _ ->
              reverse(swapped, width);
          case ArrowType.Interval(var unit) -> {
            switch (unit) {
              case YEAR_MONTH -> reverse(swapped, 4);
              case DAY_TIME -> reverse(swapped, 4, 4);
              case MONTH_DAY_NANO -> reverse(swapped, 4, 4, 8);
            }
          }
          default -> {}
        }
      }
    }
    return swapped;
  }

  /// Reverses each number of each whole element. `widths` are the byte widths of an element's
  /// numbers.
  private static void reverse(MemorySegment bytes, int... widths) {
    int elementByteSize = 0;
    for (int width : widths) {
      elementByteSize += width;
    }
    for (long element = 0;
        element + elementByteSize <= bytes.byteSize();
        element += elementByteSize) {
      long start = element;
      for (int width : widths) {
        for (int i = 0; i < width / 2; i++) {
          byte first = LittleEndian.getInt8(bytes, start + i);
          LittleEndian.setInt8(
              bytes, start + i, LittleEndian.getInt8(bytes, start + width - 1 - i));
          LittleEndian.setInt8(bytes, start + width - 1 - i, first);
        }
        start += width;
      }
    }
  }

  private static void reverseViews(MemorySegment views) {
    for (long view = 0; view + 16 <= views.byteSize(); view += 16) {
      int length = LittleEndian.getInt32(views, view);
      reverse(views.asSlice(view, 4), 4);
      if (length < 0 || length > INLINE_BYTE_SIZE_MAXIMUM) {
        reverse(views.asSlice(view + 8, 8), 4, 4);
      }
    }
  }
}
