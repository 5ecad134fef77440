package dev.quiver.sql.worker;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeType;

/// The value of a parameter.
///
/// @param name the name; empty for a parameter that has a number, which follows from its place
///   among those
/// @param type the type of the value
/// @param text the value as text; empty for NULL, and JSON for a list
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
    VARCHAR,
    /// An array of values of the other types.
    LIST
  }

  /// The digits of the widest decimal.
  private static final int PRECISION_MAXIMUM = 38;

  /// Returns the parameter with a value of JSON, whose numbers are as precise as they are written.
  ///
  /// @throws IllegalArgumentException with a sentence for the client, if it is not such a value
  public static Parameter of(String name, JsonNode value) {
    if (value.isArray()) {
      requireOneKind(value);
      return new Parameter(name, Type.LIST, value.toString());
    }
    if (value.isNull()) {
      return new Parameter(name, Type.NULL, "");
    }
    if (value.isBoolean() || value.isString()) {
      return new Parameter(name, value.isString() ? Type.VARCHAR : Type.BOOLEAN, value.asString());
    }
    if (value.isIntegralNumber()) {
      BigInteger number = value.bigIntegerValue();
      if (number.bitLength() < Long.SIZE) {
        return new Parameter(name, Type.BIGINT, number.toString());
      }
    }
    if (value.isNumber()) {
      return number(name, value.decimalValue());
    }
    throw new IllegalArgumentException(
        "Expected a text, a number, a boolean, null or an array of these but found other JSON at the parameters");
  }

  /// Returns a number as a decimal if it is one of at most 38 digits.
  private static Parameter number(String name, BigDecimal number) {
    boolean fits =
        number.scale() >= 0
            && number.scale() <= PRECISION_MAXIMUM
            && number.precision() <= PRECISION_MAXIMUM;
    if (!fits && Double.isInfinite(number.doubleValue())) {
      throw new IllegalArgumentException(
          "Expected a number within the range of DOUBLE but found a larger one");
    }
    return fits
        ? new Parameter(name, Type.DECIMAL, number.toPlainString())
        : new Parameter(name, Type.DOUBLE, Double.toString(number.doubleValue()));
  }

  private static void requireOneKind(JsonNode items) {
    Set<JsonNodeType> kinds = EnumSet.noneOf(JsonNodeType.class);
    for (JsonNode item : items) {
      if (!item.isNull()) {
        if (item.isContainer()) {
          throw new IllegalArgumentException(
              "Expected texts, numbers or booleans but found other JSON in an array of the parameters");
        }
        of("", item);
        kinds.add(item.getNodeType());
      }
    }
    if (kinds.size() > 1) {
      throw new IllegalArgumentException(
          "Expected only texts, only numbers or only booleans but found several of these in an array of the parameters");
    }
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
