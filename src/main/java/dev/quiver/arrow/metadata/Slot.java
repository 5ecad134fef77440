package dev.quiver.arrow.metadata;

/// A field of a FlatBuffers table: its entry in the vtable and its inline type.
///
/// @param name the field with its table, such as `Message.bodyLength`, for errors
/// @param index the position in the vtable, counted from 0
/// @param defaultValue the value of an absent scalar; 0 for an [Type#OFFSET]
record Slot(String name, int index, Type type, long defaultValue) {

  /// The inline type of a field. Strings, vectors, tables and unions are an [#OFFSET].
  enum Type {
    BOOL(1),
    INT8(1),
    UINT8(1),
    INT16(2),
    INT32(4),
    INT64(8),
    OFFSET(4);

    private final int byteSize;

    Type(int byteSize) {
      this.byteSize = byteSize;
    }

    int byteSize() {
      return byteSize;
    }
  }

  Slot(String name, int index, Type type) {
    this(name, index, type, 0);
  }
}
