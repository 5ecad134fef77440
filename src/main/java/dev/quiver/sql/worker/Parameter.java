package dev.quiver.sql.worker;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// The value of a parameter.
///
/// @param name the name; empty for a parameter that has a number, which follows from its place
///   among those
/// @param type the type of the value
/// @param text the value as text; empty for NULL
public record Parameter(String name, Type type, String text) {

  /// The types of JSON, with numbers as exact as they are written.
  public enum Type {
    NULL,
    BOOLEAN,
    /// An integer of 64 bits.
    BIGINT,
    /// A number of at most 38 digits.
    DECIMAL,
    DOUBLE,
    VARCHAR
  }

  /// Returns whether the parameter has a number rather than a name.
  public boolean isPositional() {
    return name.isEmpty();
  }

  static Parameter read(DataInput input) throws IOException {
    String name = Payload.readText(input);
    int type = input.readUnsignedByte();
    if (type >= Type.values().length) {
      throw new IOException("Expected the type of a parameter but found " + type);
    }
    return new Parameter(name, Type.values()[type], Payload.readText(input));
  }

  void write(DataOutput output) throws IOException {
    Payload.writeText(output, name);
    output.writeByte(type.ordinal());
    Payload.writeText(output, text);
  }
}
