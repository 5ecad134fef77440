package dev.quiver.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// The positions of the significant numbers and of the messages in a valid stream or file.
///
/// Uses only the JDK and none of the code under test.
final class Anatomy {

  /// The meaning of a number.
  enum Role {
    METADATA_LENGTH,
    TABLE,
    VTABLE,
    VECTOR_LENGTH,
    SCALAR,
    NODE,
    BUFFER,
    BODY_LENGTH,
    COMPRESSION_PREFIX,
    BODY,
    FOOTER_LENGTH,
    BLOCK
  }

  /// A number of `width` bytes.
  record Part(Role role, int byteOffset, int width) {}

  private static final int CONTINUATION = 0xFFFFFFFF;
  private static final int FILE_TRAILER_BYTE_SIZE = 10;
  private static final int BODY_PARTS_MAXIMUM = 16;

  private final ByteBuffer bytes;
  private final List<Part> parts = new ArrayList<>();
  private final List<Integer> boundaries = new ArrayList<>();

  private Anatomy(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static Anatomy of(byte[] bytes) {
    Anatomy anatomy = new Anatomy(bytes);
    boolean file = bytes.length > FILE_TRAILER_BYTE_SIZE && bytes[0] == 'A' && bytes[1] == 'R';
    int end = bytes.length;
    if (file) {
      int lengthAt = bytes.length - FILE_TRAILER_BYTE_SIZE;
      end = lengthAt - anatomy.bytes.getInt(lengthAt);
      anatomy.add(Role.FOOTER_LENGTH, lengthAt, 4);
      anatomy.footer(end);
    }
    anatomy.messages(file ? 8 : 0, end);
    return anatomy;
  }

  List<Part> parts() {
    return parts;
  }

  /// Returns the start of each message and the end of the last one.
  List<Integer> boundaries() {
    return boundaries;
  }

  private void add(Role role, int byteOffset, int width) {
    parts.add(new Part(role, byteOffset, width));
  }

  private void messages(int start, int end) {
    int at = start;
    boundaries.add(at);
    while (at + 8 <= end) {
      int prefix = bytes.getInt(at) == CONTINUATION ? 8 : 4;
      int length = bytes.getInt(at + prefix - 4);
      add(Role.METADATA_LENGTH, at + prefix - 4, 4);
      if (length == 0) {
        break;
      }
      at += prefix + length + message(at + prefix, at + prefix + length);
      boundaries.add(at);
    }
  }

  /// Returns the length of the body that starts at `body`.
  private int message(int root, int body) {
    int table = table(root);
    int bodyLengthAt = field(table, 3);
    if (bodyLengthAt != 0) {
      add(Role.BODY_LENGTH, bodyLengthAt, 8);
    }
    scalar(table, 0, 2);
    scalar(table, 1, 1);
    int header = field(table, 2);
    switch (bytes.get(field(table, 1))) {
      case 1 -> schema(table(header));
      case 2 -> {
        int dictionary = table(header);
        scalar(dictionary, 0, 8);
        scalar(dictionary, 2, 1);
        recordBatch(table(field(dictionary, 1)), body);
      }
      case 3 -> recordBatch(table(header), body);
      default -> {}
    }
    return bodyLengthAt == 0 ? 0 : Math.toIntExact(bytes.getLong(bodyLengthAt));
  }

  private void recordBatch(int table, int body) {
    scalar(table, 0, 8);
    structs(field(table, 1), Role.NODE);
    boolean compressed = field(table, 3) != 0;
    if (compressed) {
      scalar(table(field(table, 3)), 0, 1);
    }
    int buffers = structs(field(table, 2), Role.BUFFER);
    for (int i = 0; buffers != 0 && i < bytes.getInt(buffers); i++) {
      int at = body + Math.toIntExact(bytes.getLong(buffers + 4 + 16 * i));
      int length = Math.toIntExact(bytes.getLong(buffers + 12 + 16 * i));
      if (compressed && length >= 8) {
        add(Role.COMPRESSION_PREFIX, at, 8);
      }
      for (int n = 0; n < BODY_PARTS_MAXIMUM && 4 * n + 4 <= length; n++) {
        add(Role.BODY, at + 4 * n, 4);
      }
    }
    int variadic = vector(field(table, 4));
    for (int i = 0; variadic != 0 && i < bytes.getInt(variadic); i++) {
      add(Role.SCALAR, variadic + 4 + 8 * i, 8);
    }
  }

  private void schema(int table) {
    scalar(table, 0, 2);
    fields(field(table, 1));
    keyValues(field(table, 2));
  }

  private void fields(int reference) {
    int vector = vector(reference);
    for (int i = 0; vector != 0 && i < bytes.getInt(vector); i++) {
      int field = table(vector + 4 + 4 * i);
      vector(field(field, 0));
      scalar(field, 1, 1);
      scalar(field, 2, 1);
      if (field(field, 3) != 0) {
        int type = table(field(field, 3));
        scalar(type, 0, 4);
        scalar(type, 1, 4);
      }
      if (field(field, 4) != 0) {
        int dictionary = table(field(field, 4));
        scalar(dictionary, 0, 8);
        scalar(dictionary, 2, 1);
      }
      fields(field(field, 5));
      keyValues(field(field, 6));
    }
  }

  private void keyValues(int reference) {
    int vector = vector(reference);
    for (int i = 0; vector != 0 && i < bytes.getInt(vector); i++) {
      int pair = table(vector + 4 + 4 * i);
      vector(field(pair, 0));
      vector(field(pair, 1));
    }
  }

  private void footer(int root) {
    int table = table(root);
    scalar(table, 0, 2);
    schema(table(field(table, 1)));
    for (int slot = 2; slot <= 3; slot++) {
      int blocks = vector(field(table, slot));
      for (int i = 0; blocks != 0 && i < bytes.getInt(blocks); i++) {
        int block = blocks + 4 + 24 * i;
        add(Role.BLOCK, block, 8);
        add(Role.BLOCK, block + 8, 4);
        add(Role.BLOCK, block + 16, 8);
      }
    }
    keyValues(field(table, 4));
  }

  /// Follows the reference at `reference` to a table.
  private int table(int reference) {
    int table = reference + bytes.getInt(reference);
    add(Role.TABLE, reference, 4);
    add(Role.TABLE, table, 4);
    int vtable = table - bytes.getInt(table);
    for (int i = 0; i < bytes.getShort(vtable); i += 2) {
      add(Role.VTABLE, vtable + i, 2);
    }
    return table;
  }

  /// Returns the position of the field in this slot, or 0 if absent.
  private int field(int table, int slot) {
    int vtable = table - bytes.getInt(table);
    int entry = 4 + 2 * slot;
    int offset = entry < bytes.getShort(vtable) ? bytes.getShort(vtable + entry) : 0;
    return offset == 0 ? 0 : table + offset;
  }

  private void scalar(int table, int slot, int width) {
    int at = field(table, slot);
    if (at != 0) {
      add(Role.SCALAR, at, width);
    }
  }

  /// Follows the reference to a vector or string; returns 0 if absent.
  private int vector(int reference) {
    if (reference == 0) {
      return 0;
    }
    int vector = reference + bytes.getInt(reference);
    add(Role.TABLE, reference, 4);
    add(Role.VECTOR_LENGTH, vector, 4);
    return vector;
  }

  /// Records a vector of structs of two 64-bit numbers.
  private int structs(int reference, Role role) {
    int vector = vector(reference);
    for (int i = 0; vector != 0 && i < 2 * bytes.getInt(vector); i++) {
      add(role, vector + 4 + 8 * i, 8);
    }
    return vector;
  }
}
