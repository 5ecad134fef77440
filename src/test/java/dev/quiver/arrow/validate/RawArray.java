package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An array built buffer by buffer, valid or not. Its field is called `f`, and children are called
/// by their index.
record RawArray(
    ArrowType type,
    boolean nullable,
    long length,
    long nullCount,
    List<MemorySegment> buffers,
    List<RawArray> children,
    ArrowType.@Nullable Int indexType,
    @Nullable RawArray dictionary) {

  static final MemorySegment NONE = MemorySegment.NULL;

  static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  static final ArrowType INT16 = new ArrowType.Int(16, true);
  static final ArrowType INT32 = new ArrowType.Int(32, true);
  static final ArrowType INT64 = new ArrowType.Int(64, true);
  static final ArrowType UTF8 = new ArrowType.Utf8();

  /// Returns an array without nulls.
  static RawArray array(ArrowType type, long length, MemorySegment... buffers) {
    return new RawArray(type, true, length, 0, List.of(buffers), List.of(), null, null);
  }

  RawArray nulls(long count) {
    return new RawArray(type, nullable, length, count, buffers, children, indexType, dictionary);
  }

  /// Returns the same array in a non-nullable field.
  RawArray required() {
    return new RawArray(type, false, length, nullCount, buffers, children, indexType, dictionary);
  }

  RawArray children(RawArray... newChildren) {
    return new RawArray(
        type, nullable, length, nullCount, buffers, List.of(newChildren), indexType, dictionary);
  }

  /// Returns the same array as indices of this type into `newDictionary`.
  RawArray indices(ArrowType.Int newIndexType, @Nullable RawArray newDictionary) {
    return new RawArray(
        type, nullable, length, nullCount, buffers, children, newIndexType, newDictionary);
  }

  static RawArray int32Array(int... values) {
    return array(INT32, values.length, NONE, int32s(values));
  }

  static RawArray utf8Array(String... values) {
    int[] offsets = new int[values.length + 1];
    for (int i = 0; i < values.length; i++) {
      offsets[i + 1] = offsets[i] + values[i].getBytes(StandardCharsets.UTF_8).length;
    }
    return array(UTF8, values.length, NONE, int32s(offsets), text(String.join("", values)));
  }

  ArrayData data() {
    return data("f");
  }

  private ArrayData data(String name) {
    List<ArrayData> arrays = new ArrayList<>();
    for (int i = 0; i < children.size(); i++) {
      arrays.add(children.get(i).data(Integer.toString(i)));
    }
    Field field =
        Field.of(name, nullable, type, arrays.stream().map(ArrayData::field).toArray(Field[]::new));
    if (indexType != null) {
      field = field.withDictionary(new DictionaryEncoding(0, indexType, false));
    }
    ArrayData values = dictionary == null ? null : dictionary.data("dictionary");
    return new ArrayData(field, length, nullCount, buffers, arrays, values);
  }

  /// Returns a bitmap from bits in the specification's notation: the last slot first.
  static MemorySegment bits(String bits) {
    MemorySegment bitmap = bytes(new byte[(int) Bitmaps.byteSize(bits.length())]);
    for (int i = 0; i < bits.length(); i++) {
      if (bits.charAt(bits.length() - 1 - i) == '1') {
        Bitmaps.set(bitmap, i);
      }
    }
    return bitmap;
  }

  static MemorySegment int8s(int... values) {
    MemorySegment buffer = bytes(new byte[values.length]);
    for (int i = 0; i < values.length; i++) {
      LittleEndian.setInt8(buffer, i, (byte) values[i]);
    }
    return buffer;
  }

  static MemorySegment int16s(int... values) {
    MemorySegment buffer = bytes(new byte[values.length * 2]);
    for (int i = 0; i < values.length; i++) {
      LittleEndian.setInt16(buffer, i * 2L, (short) values[i]);
    }
    return buffer;
  }

  static MemorySegment int32s(int... values) {
    MemorySegment buffer = bytes(new byte[values.length * 4]);
    for (int i = 0; i < values.length; i++) {
      LittleEndian.setInt32(buffer, i * 4L, values[i]);
    }
    return buffer;
  }

  static MemorySegment int64s(long... values) {
    MemorySegment buffer = bytes(new byte[values.length * 8]);
    for (int i = 0; i < values.length; i++) {
      LittleEndian.setInt64(buffer, i * 8L, values[i]);
    }
    return buffer;
  }

  static MemorySegment text(String text) {
    return bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  static MemorySegment hex(String digits) {
    return bytes(HexFormat.of().parseHex(digits.replaceAll("\\s", "")));
  }

  private static MemorySegment bytes(byte[] bytes) {
    return MemorySegment.ofArray(bytes);
  }
}
