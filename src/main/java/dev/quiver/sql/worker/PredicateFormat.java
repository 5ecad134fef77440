package dev.quiver.sql.worker;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.statistics.Predicate.Operator;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Predicates in frames: a byte for the kind of predicate, then its members.
final class PredicateFormat {

  private static final int CONJUNCTION = 0;
  private static final int COMPARISON = 1;
  private static final int IN = 2;
  private static final int NOT_IN = 3;
  private static final int OUTSIDE = 4;
  private static final int PREFIX = 5;
  private static final int NULL_TEST = 6;

  private PredicateFormat() {}

  static void write(DataOutput output, Predicate predicate) throws IOException {
    switch (predicate) {
      case Predicate.Conjunction(var parts) -> {
        output.writeByte(CONJUNCTION);
        output.writeInt(parts.size());
        for (Predicate part : parts) {
          write(output, part);
        }
      }
      case Predicate.Comparison(var column, var operator, var literal) -> {
        writeStart(output, COMPARISON, column);
        output.writeByte(operator.ordinal());
        writeBytes(output, literal);
      }
      case Predicate.In(var column, var literals) -> {
        writeStart(output, IN, column);
        writeAll(output, literals);
      }
      case Predicate.NotIn(var column, var literals) -> {
        writeStart(output, NOT_IN, column);
        writeAll(output, literals);
      }
      case Predicate.Outside(var column, var low, var high) -> {
        writeStart(output, OUTSIDE, column);
        writeBytes(output, low);
        writeBytes(output, high);
      }
      case Predicate.Prefix(var column, var prefix) -> {
        writeStart(output, PREFIX, column);
        writeBytes(output, prefix);
      }
      case Predicate.NullTest(var column, boolean isNull) -> {
        writeStart(output, NULL_TEST, column);
        output.writeBoolean(isNull);
      }
    }
  }

  static Predicate read(DataInput input) throws IOException {
    int kind = input.readUnsignedByte();
    if (kind == CONJUNCTION) {
      List<Predicate> parts = new ArrayList<>();
      for (int i = Payload.readCount(input); i > 0; i--) {
        parts.add(read(input));
      }
      return new Predicate.Conjunction(parts);
    }
    List<Integer> column = Arrays.stream(StoredTable.readInts(input)).boxed().toList();
    return switch (kind) {
      case COMPARISON -> new Predicate.Comparison(column, readOperator(input), readBytes(input));
      case IN -> new Predicate.In(column, readAll(input));
      case NOT_IN -> new Predicate.NotIn(column, readAll(input));
      case OUTSIDE -> new Predicate.Outside(column, readBytes(input), readBytes(input));
      case PREFIX -> new Predicate.Prefix(column, readBytes(input));
      case NULL_TEST -> new Predicate.NullTest(column, input.readBoolean());
      default -> throw new IOException("Expected a kind of predicate but found " + kind);
    };
  }

  private static void writeStart(DataOutput output, int kind, List<Integer> column)
      throws IOException {
    output.writeByte(kind);
    StoredTable.writeInts(output, column.stream().mapToInt(Integer::intValue).toArray());
  }

  private static Operator readOperator(DataInput input) throws IOException {
    int operator = input.readUnsignedByte();
    if (operator >= Operator.values().length) {
      throw new IOException("Expected an operator but found " + operator);
    }
    return Operator.values()[operator];
  }

  private static void writeAll(DataOutput output, List<ByteString> literals) throws IOException {
    output.writeInt(literals.size());
    for (ByteString literal : literals) {
      writeBytes(output, literal);
    }
  }

  private static List<ByteString> readAll(DataInput input) throws IOException {
    List<ByteString> literals = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      literals.add(readBytes(input));
    }
    return literals;
  }

  private static void writeBytes(DataOutput output, ByteString bytes) throws IOException {
    output.writeInt(bytes.byteSize());
    output.write(bytes.toByteArray());
  }

  private static ByteString readBytes(DataInput input) throws IOException {
    byte[] bytes = new byte[Payload.readCount(input)];
    input.readFully(bytes);
    return ByteString.of(bytes);
  }
}
