package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;
import static dev.quiver.arrow.type.BufferRole.SIZES;
import static dev.quiver.arrow.type.BufferRole.SLOT_OFFSETS;
import static dev.quiver.arrow.type.BufferRole.TYPE_IDS;
import static dev.quiver.arrow.type.BufferRole.VIEWS;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The values of an [ArrayData], one view per physical layout. Nothing is copied.
///
/// Slot indices run from 0 to `length`; accessors do not check them. A null slot may hold any
/// bytes: ask [#isNull] first. Accessors check offsets only against the bounds of the segments, so
/// untrusted data must be validated first.
public sealed interface Array {

  ArrayData data();

  default long length() {
    return data().length();
  }

  /// Returns whether the array's own validity marks the slot as null.
  default boolean isNull(long index) {
    MemorySegment validity = data().validity();
    return validity.byteSize() != 0 && !Bitmaps.get(validity, index);
  }

  /// Returns the view for the layout of `data`.
  static Array of(ArrayData data) {
    if (data.field().dictionary() != null) {
      return new DictionaryEncoded(data);
    }
    return switch (data.field().type()) {
      case ArrowType.Null() -> new Null(data);
      case ArrowType.Bool() -> new Bool(data);
      case ArrowType.FixedWidth _ -> new FixedWidth(data);
      case ArrowType.VariableBytes _ -> new VariableBinary(data);
      case ArrowType.ViewBytes _ -> new BinaryView(data);
      case ArrowType.VariableList _ -> new VariableList(data);
      case ArrowType.ViewList _ -> new ListView(data);
      case ArrowType.FixedSizeList _ -> new FixedSizeList(data);
      case ArrowType.Struct() -> new Struct(data);
      case ArrowType.Union _ -> new Union(data);
      case ArrowType.RunEndEncoded() -> new RunEndEncoded(data);
    };
  }

  /// An array whose slots are byte sequences.
  sealed interface Bytes extends Array {

    MemorySegment bytes(long index);

    /// Returns the bytes decoded as UTF-8.
    default String text(long index) {
      return new String(bytes(index).toArray(LittleEndian.INT8), StandardCharsets.UTF_8);
    }
  }

  /// An array whose slots are ranges of one child.
  sealed interface Lists extends Array {

    /// Returns the first child slot of the list.
    long start(long index);

    /// Returns the child slot after the list's last one.
    long end(long index);

    /// Returns the child.
    default Array values() {
      return Array.of(data().children().getFirst());
    }
  }

  record Null(ArrayData data) implements Array {
    @Override
    public boolean isNull(long index) {
      return true;
    }
  }

  record Bool(ArrayData data) implements Array {
    public boolean get(long index) {
      return Bitmaps.get(data.buffer(DATA), index);
    }
  }

  /// An array with slots of a whole number of bytes: numbers, decimals, times, intervals,
  /// fixed-size binary.
  record FixedWidth(ArrayData data, MemorySegment values, long byteWidth) implements Bytes {

    FixedWidth(ArrayData data) {
      this(
          data,
          data.buffer(DATA),
          data.layout().buffers().get(data.layout().indexOf(DATA)).bitWidth() >>> 3);
    }

    @Override
    public MemorySegment bytes(long index) {
      return values.asSlice(index * byteWidth, byteWidth);
    }

    /// Returns the slot as an integer of at most eight bytes: zero-extended if the type is an
    /// unsigned integer, otherwise sign-extended.
    public long integer(long index) {
      boolean unsigned =
          data.field().storageType() instanceof ArrowType.Int(_, boolean signed) && !signed;
      return switch ((int) byteWidth) {
        case 1 -> {
          byte value = LittleEndian.getInt8(values, index);
          yield unsigned ? Byte.toUnsignedLong(value) : value;
        }
        case 2 -> {
          short value = LittleEndian.getInt16(values, index << 1);
          yield unsigned ? Short.toUnsignedLong(value) : value;
        }
        case 4 -> {
          int value = LittleEndian.getInt32(values, index << 2);
          yield unsigned ? Integer.toUnsignedLong(value) : value;
        }
        case 8 -> LittleEndian.getInt64(values, index << 3);
        default -> throw new IllegalStateException(data.field() + " has no integers");
      };
    }

    /// Returns the slot as a floating-point number, widened.
    public double floatingPoint(long index) {
      return switch ((int) byteWidth) {
        case 2 -> Float.float16ToFloat(LittleEndian.getInt16(values, index << 1));
        case 4 -> values.get(LittleEndian.FLOAT32, index << 2);
        case 8 -> values.get(LittleEndian.FLOAT64, index << 3);
        default -> throw new IllegalStateException(data.field() + " has no floating point numbers");
      };
    }
  }

  /// Binary or text delimited by 32-bit or 64-bit offsets.
  record VariableBinary(ArrayData data, MemorySegment offsets, MemorySegment values, boolean large)
      implements Bytes {

    VariableBinary(ArrayData data) {
      this(data, data.buffer(OFFSETS), data.buffer(DATA), isLarge(data));
    }

    @Override
    public MemorySegment bytes(long index) {
      long start = offset(offsets, large, index);
      return values.asSlice(start, offset(offsets, large, index + 1) - start);
    }
  }

  /// Binary or text in views: short values are inline, long ones in one of the data buffers.
  record BinaryView(ArrayData data, MemorySegment views, List<MemorySegment> dataBuffers)
      implements Bytes {

    /// The size of one view.
    public static final int VIEW_BYTE_SIZE = 16;

    /// The size of the longest inline value.
    public static final int INLINE_BYTE_SIZE_MAX = 12;

    BinaryView(ArrayData data) {
      this(data, data.buffer(VIEWS), data.variadicBuffers());
    }

    @Override
    public MemorySegment bytes(long index) {
      long view = index * VIEW_BYTE_SIZE;
      int byteSize = LittleEndian.getInt32(views, view);
      if (byteSize <= INLINE_BYTE_SIZE_MAX) {
        return views.asSlice(view + 4, byteSize);
      }
      int bufferIndex = LittleEndian.getInt32(views, view + 8);
      return dataBuffers
          .get(bufferIndex)
          .asSlice(LittleEndian.getInt32(views, view + 12), byteSize);
    }
  }

  /// Lists or maps delimited by 32-bit or 64-bit offsets.
  record VariableList(ArrayData data, MemorySegment offsets, boolean large) implements Lists {

    VariableList(ArrayData data) {
      this(data, data.buffer(OFFSETS), isLarge(data));
    }

    @Override
    public long start(long index) {
      return offset(offsets, large, index);
    }

    @Override
    public long end(long index) {
      return offset(offsets, large, index + 1);
    }
  }

  /// Lists with an explicit start and size per slot.
  record ListView(ArrayData data, MemorySegment offsets, MemorySegment sizes, boolean large)
      implements Lists {

    ListView(ArrayData data) {
      this(data, data.buffer(SLOT_OFFSETS), data.buffer(SIZES), isLarge(data));
    }

    @Override
    public long start(long index) {
      return offset(offsets, large, index);
    }

    @Override
    public long end(long index) {
      return start(index) + offset(sizes, large, index);
    }
  }

  record FixedSizeList(ArrayData data, int listSize) implements Lists {

    FixedSizeList(ArrayData data) {
      this(data, ((ArrowType.FixedSizeList) data.field().type()).listSize());
    }

    @Override
    public long start(long index) {
      return index * listSize;
    }

    @Override
    public long end(long index) {
      return start(index) + listSize;
    }
  }

  record Struct(ArrayData data) implements Array {
    public Array child(int childIndex) {
      return Array.of(data.children().get(childIndex));
    }
  }

  /// A sparse or dense union, which has no validity of its own.
  record Union(ArrayData data, ArrowType.Union type) implements Array {

    Union(ArrayData data) {
      this(data, (ArrowType.Union) data.field().type());
    }

    /// Returns whether the slot of the selected child is null.
    @Override
    public boolean isNull(long index) {
      return child(childIndex(index)).isNull(childSlot(index));
    }

    public int typeId(long index) {
      return LittleEndian.getInt8(data.buffer(TYPE_IDS), index);
    }

    /// Returns the index of the selected child, or -1 if the union lacks the type id.
    public int childIndex(long index) {
      return type.typeIds().indexOf(typeId(index));
    }

    /// Returns the slot within the selected child.
    public long childSlot(long index) {
      return type.mode() == UnionMode.SPARSE
          ? index
          : LittleEndian.getInt32(data.buffer(SLOT_OFFSETS), index << 2);
    }

    public Array child(int childIndex) {
      return Array.of(data.children().get(childIndex));
    }
  }

  /// Runs of equal values, without validity of their own.
  record RunEndEncoded(ArrayData data, FixedWidth runEnds, Array values) implements Array {

    RunEndEncoded(ArrayData data) {
      this(data, new FixedWidth(data.children().getFirst()), Array.of(data.children().getLast()));
    }

    /// Returns whether the value of the slot's run is null.
    @Override
    public boolean isNull(long index) {
      return values.isNull(run(index));
    }

    /// Returns the run that contains the slot: the first that ends after it.
    public long run(long index) {
      long low = 0;
      long high = runEnds.length() - 1;
      while (low < high) {
        long middle = low + high >>> 1;
        if (runEnds.integer(middle) > index) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low;
    }
  }

  /// Indices into a dictionary.
  record DictionaryEncoded(ArrayData data, FixedWidth indices, @Nullable Array values)
      implements Array {

    DictionaryEncoded(ArrayData data) {
      this(
          data,
          new FixedWidth(data),
          data.dictionary() == null ? null : Array.of(data.dictionary()));
    }

    /// Returns the slot's position in the dictionary. Unsigned 64-bit indices are returned
    /// unconverted.
    public long index(long slot) {
      return indices.integer(slot);
    }

    /// Returns the dictionary, which is present if any slot is not null.
    public Array dictionary() {
      return Objects.requireNonNull(values, "no dictionary for " + data.field());
    }
  }

  private static boolean isLarge(ArrayData data) {
    Layout layout = data.layout();
    int offsets = Math.max(layout.indexOf(OFFSETS), layout.indexOf(SLOT_OFFSETS));
    return layout.buffers().get(offsets).bitWidth() == 64;
  }

  private static long offset(MemorySegment offsets, boolean large, long index) {
    return large
        ? LittleEndian.getInt64(offsets, index << 3)
        : LittleEndian.getInt32(offsets, index << 2);
  }
}
