package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Values of a [ColumnProfile] as arrays.
public final class ProfileValues {

  private ProfileValues() {}

  /// Returns an array of one slot. Text is in the layout of `utf8`, and binary values in that of
  /// `binary`.
  ///
  /// @param type the type of the values of the column
  public static ArrayData array(ArrowType type, ByteString value) {
    ArrowType simple =
        switch (type) {
          case ArrowType.LargeUtf8(), ArrowType.Utf8View() -> new ArrowType.Utf8();
          case ArrowType.LargeBinary(), ArrowType.BinaryView(), ArrowType.FixedSizeBinary _ ->
              new ArrowType.Binary();
          default -> type;
        };
    List<MemorySegment> buffers = new ArrayList<>();
    buffers.add(MemorySegment.NULL);
    if (Layout.of(simple).indexOf(BufferRole.OFFSETS) >= 0) {
      MemorySegment offsets = MemorySegment.ofArray(new byte[2 * Integer.BYTES]);
      LittleEndian.setInt32(offsets, Integer.BYTES, value.byteSize());
      buffers.add(offsets);
    }
    buffers.add(MemorySegment.ofArray(value.toByteArray()));
    return new ArrayData(Field.of("value", false, simple), 1, 0, buffers, List.of(), null);
  }
}
