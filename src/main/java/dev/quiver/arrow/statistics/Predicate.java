package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import java.util.List;

/// A condition on the rows of a table: a conjunction of comparisons of a column with literals.
///
/// A column is a path: the index of a column of the schema, then of a child in each struct. A slot
/// under a null struct is null. Dictionaries and runs have the values that slots use.
///
/// A literal has the type of the column, and the bytes that a value of it has: little-endian as in
/// a buffer, one byte for a boolean, the characters of a text. A literal that is converted to the
/// type of the column is therefore rounded, if at all, in the direction of the comparison.
///
/// The order is DuckDB's. NaN is greater than any other number, and equal to itself; -0.0 is equal
/// to 0.0. Text and binary values are compared by unsigned bytes. Null is neither equal to a
/// literal nor different from it, and selects no row, except where a record says so.
///
/// Intervals, lists, maps and structs can only be tested for nulls, and unions not at all.
public sealed interface Predicate {

  /// Selects the rows that all parts select: every row without parts.
  record Conjunction(List<Predicate> parts) implements Predicate {
    public Conjunction {
      parts = List.copyOf(parts);
    }
  }

  /// Selects the rows whose value compares with a literal in some way.
  record Comparison(List<Integer> column, Operator operator, ByteString literal)
      implements Predicate {
    public Comparison {
      column = List.copyOf(column);
    }
  }

  /// Selects the rows whose value equals one of several literals: no row without literals.
  record In(List<Integer> column, List<ByteString> literals) implements Predicate {
    public In {
      column = List.copyOf(column);
      literals = List.copyOf(literals);
    }
  }

  /// Selects the rows whose value equals none of several literals: every one but null without
  /// literals.
  record NotIn(List<Integer> column, List<ByteString> literals) implements Predicate {
    public NotIn {
      column = List.copyOf(column);
      literals = List.copyOf(literals);
    }
  }

  /// Selects the rows whose value is less than one literal or greater than another.
  record Outside(List<Integer> column, ByteString low, ByteString high) implements Predicate {
    public Outside {
      column = List.copyOf(column);
    }
  }

  /// Selects the rows whose text or binary value starts with a prefix.
  record Prefix(List<Integer> column, ByteString prefix) implements Predicate {
    public Prefix {
      column = List.copyOf(column);
    }
  }

  /// Selects the rows that are null, or the others.
  record NullTest(List<Integer> column, boolean isNull) implements Predicate {
    public NullTest {
      column = List.copyOf(column);
    }
  }

  /// A comparison of a value with a literal.
  enum Operator {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,

    /// As [#EQUAL], but false for null.
    NOT_DISTINCT,

    /// As [#NOT_EQUAL], but true for null.
    DISTINCT
  }
}
