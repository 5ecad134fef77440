package dev.quiver.benchmarks;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/// Deterministic columns for the kernel benchmarks, in native memory that is never freed.
final class Columns {

  static final String[] ASCII = {"river ", "mountain ", "to ", "a ", "harbour ", "of ", "light "};

  /// Words in scripts with one to four bytes per character.
  static final String[] MIXED = {"river ", "größer ", "Ωμέγα ", "страна ", "の山 ", "été ", "🚀🌍 "};

  private final SplittableRandom random = new SplittableRandom(6);

  /// Returns a column of text with this many bytes, in slots of about 64 bytes or less.
  ArrayData text(String name, String[] words, int byteSize) {
    MemorySegment data = allocate(byteSize);
    byte[][] encoded = new byte[words.length][];
    for (int i = 0; i < words.length; i++) {
      encoded[i] = words[i].getBytes(StandardCharsets.UTF_8);
    }
    data.fill((byte) ' ');
    int[] starts = new int[byteSize];
    int slots = 0;
    int slotEnd = 0;
    for (int position = 0; ; ) {
      byte[] word = encoded[random.nextInt(encoded.length)];
      if (position + word.length > byteSize) {
        break;
      }
      if (position >= slotEnd) {
        starts[slots++] = position;
        slotEnd = position + random.nextInt(64);
      }
      MemorySegment.copy(word, 0, data, ValueLayout.JAVA_BYTE, position, word.length);
      position += word.length;
    }
    starts[slots] = byteSize;
    MemorySegment offsets = allocate(Integer.BYTES * (slots + 1L));
    MemorySegment.copy(starts, 0, offsets, ValueLayout.JAVA_INT, 0, slots + 1);
    Field field = Field.of(name, false, new ArrowType.Utf8());
    return new ArrayData(
        field, slots, 0, List.of(MemorySegment.NULL, offsets, data), List.of(), null);
  }

  /// Returns a column of one-letter texts.
  ArrayData letters(String name, int length) {
    MemorySegment data = allocate(length).fill((byte) 'a');
    MemorySegment offsets = allocate(Integer.BYTES * (length + 1L));
    for (int i = 0; i <= length; i++) {
      offsets.setAtIndex(ValueLayout.JAVA_INT, i, i);
    }
    Field field = Field.of(name, false, new ArrowType.Utf8());
    return new ArrayData(
        field, length, 0, List.of(MemorySegment.NULL, offsets, data), List.of(), null);
  }

  /// Returns a column of integers between `-bound` and `bound`, one in twenty of them null.
  ArrayData integers(String name, int length, long bound) {
    MemorySegment values = allocate((long) Long.BYTES * length);
    MemorySegment validity = allocate(Bitmaps.byteSize(length));
    long nulls = 0;
    for (int i = 0; i < length; i++) {
      values.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong(-bound, bound));
      if (random.nextInt(20) == 0) {
        nulls++;
      } else {
        Bitmaps.set(validity, i);
      }
    }
    Field field = Field.of(name, true, new ArrowType.Int(64, true));
    return new ArrayData(field, length, nulls, List.of(validity, values), List.of(), null);
  }

  /// Returns a column of numbers with two decimals.
  ArrayData decimals(String name, int length) {
    MemorySegment values = allocate((long) Double.BYTES * length);
    for (int i = 0; i < length; i++) {
      values.setAtIndex(ValueLayout.JAVA_DOUBLE, i, random.nextInt(-1_000_000, 1_000_000) / 100.0);
    }
    Field field = Field.of(name, false, new ArrowType.FloatingPoint(Precision.DOUBLE));
    return new ArrayData(
        field, length, 0, List.of(MemorySegment.NULL, values), List.of(), null);
  }

  static RecordBatch batch(ArrayData... columns) {
    Field[] fields = new Field[columns.length];
    for (int i = 0; i < columns.length; i++) {
      fields[i] = columns[i].field();
    }
    return new RecordBatch(Schema.of(fields), columns[0].length(), List.of(columns));
  }

  static MemorySegment allocate(long byteSize) {
    return Arena.global().allocate(byteSize, 64);
  }
}
