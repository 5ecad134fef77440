package dev.quiver.sql.where;

import dev.quiver.arrow.type.TimeUnit;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Dates, times and timestamps, as counts of their unit.
///
/// Sessions of the engine have the time zone UTC.
sealed interface ComparedTemporals extends ComparedValues {

  Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  Pattern TIME = Pattern.compile("\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,6})?");
  Pattern TIMESTAMP =
      Pattern.compile("(" + DATE + ")(?:[ T](" + TIME + "))?(Z|[+-]\\d{2}(?::\\d{2})?)?");

  /// Returns a count of microseconds or days, or null if the engine may reject the text.
  @Nullable BigDecimal parsed(SqlLiteral literal);

  @Override
  default @Nullable Place place(SqlLiteral literal) {
    try {
      BigDecimal count = literal.kind() == SqlLiteral.Kind.STRING ? parsed(literal) : null;
      return count == null ? null : LiteralNumbers.among(bitWidth(), /* signed= */ true, count);
    } catch (DateTimeException _) {
      return null;
    }
  }

  int bitWidth();

  /// Dates in days.
  record Dates() implements ComparedTemporals {

    @Override
    public int bitWidth() {
      return Integer.SIZE;
    }

    @Override
    public @Nullable BigDecimal parsed(SqlLiteral literal) {
      boolean isDate = literal.type().isEmpty() || literal.type().equals("DATE");
      return isDate && DATE.matcher(literal.text()).matches()
          ? BigDecimal.valueOf(LocalDate.parse(literal.text()).toEpochDay())
          : null;
    }
  }

  /// Times of day.
  record Times(TimeUnit unit, int bitWidth) implements ComparedTemporals {

    /// Returns the values of a type, or null if the engine does not compare them with all literals.
    static @Nullable Times of(TimeUnit unit, int bitWidth) {
      return unit == TimeUnit.NANOSECOND ? null : new Times(unit, bitWidth);
    }

    @Override
    public @Nullable BigDecimal parsed(SqlLiteral literal) {
      boolean isTime = literal.type().isEmpty() || literal.type().equals("TIME");
      return isTime && TIME.matcher(literal.text()).matches()
          ? ComparedTemporals.count(
              LocalTime.parse(literal.text()).toNanoOfDay() / 1000, unit, literal)
          : null;
    }
  }

  /// Timestamps, those with a zone in UTC.
  record Timestamps(TimeUnit unit, boolean hasZone) implements ComparedTemporals {

    @Override
    public int bitWidth() {
      return Long.SIZE;
    }

    @Override
    public @Nullable BigDecimal parsed(SqlLiteral literal) {
      boolean mayHaveZone =
          switch (literal.type()) {
            case "" -> hasZone;
            case "DATE", "TIMESTAMP" -> false;
            case "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE" -> true;
            default -> !hasZone;
          };
      Matcher text = TIMESTAMP.matcher(literal.text());
      boolean isKnown =
          switch (literal.type()) {
            case "", "TIMESTAMP" -> text.matches();
            case "DATE" -> text.matches() && text.group(2) == null;
            case "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE" -> text.matches() && hasZone;
            default -> false;
          };
      if (!isKnown || text.group(3) != null && !mayHaveZone) {
        return null;
      }
      LocalTime time = text.group(2) == null ? LocalTime.MIN : LocalTime.parse(text.group(2));
      ZoneOffset offset = text.group(3) == null ? ZoneOffset.UTC : ZoneOffset.of(text.group(3));
      LocalDateTime local = LocalDateTime.of(LocalDate.parse(text.group(1)), time);
      long micros =
          Math.addExact(
              Math.multiplyExact(local.toEpochSecond(offset), 1_000_000L), time.getNano() / 1000);
      return ComparedTemporals.count(micros, unit, literal);
    }
  }

  /// Returns microseconds in a unit, or null if the engine would change them.
  private static @Nullable BigDecimal count(long micros, TimeUnit unit, SqlLiteral literal) {
    BigDecimal exact = BigDecimal.valueOf(micros);
    return switch (unit) {
      case SECOND -> unchanged(exact.movePointLeft(6), literal);
      case MILLISECOND -> unchanged(exact.movePointLeft(3), literal);
      case MICROSECOND -> exact;
      case NANOSECOND -> {
        BigDecimal nanos = exact.movePointRight(3);
        yield nanos.toBigInteger().bitLength() < Long.SIZE ? nanos : null;
      }
    };
  }

  /// Returns a count that a string has exactly: the engine rounds it to the type of the column.
  private static @Nullable BigDecimal unchanged(BigDecimal count, SqlLiteral literal) {
    return literal.isBareString() && count.stripTrailingZeros().scale() > 0 ? null : count;
  }
}
