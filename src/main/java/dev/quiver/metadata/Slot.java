package dev.quiver.metadata;

/// A field of a FlatBuffers table: where the table's vtable points at it, and how it is stored.
///
/// @param name the field with its table, such as `Message.bodyLength`; errors show it
/// @param index the position in the vtable, counted from 0
/// @param defaultValue what an absent scalar means; 0 for what is stored elsewhere
record Slot(String name, int index, Type type, long defaultValue) {

  /// How a field is stored inline. Strings, vectors, tables and unions are an [#OFFSET].
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
