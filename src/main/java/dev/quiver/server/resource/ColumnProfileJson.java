package dev.quiver.server.resource;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnProfile;
import dev.quiver.arrow.statistics.ColumnProfile.FrequentValue;
import dev.quiver.arrow.statistics.ColumnProfile.Histogram;
import dev.quiver.arrow.statistics.ColumnProfile.Numbers;
import dev.quiver.arrow.statistics.ColumnProfile.TextLength;
import dev.quiver.arrow.statistics.ProfiledColumn;
import dev.quiver.arrow.text.JsonNumbers;
import dev.quiver.arrow.text.JsonText;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.ArrowType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statistics of a column over all rows of a version. A member is absent if the type has no such
/// statistic, or if it does not exist.
///
/// Values are in the JSON form of their type; JSON is its text. NaN and the infinities are strings,
/// since JSON has no numbers for them, and long values are cut.
///
/// @param column the path of the column, joined by dots
/// @param type the type as in the schema, such as `list<item: int32>`
/// @param nan the number of NaN, if the type has them
/// @param infinite the number of infinities, if the type has them
/// @param mean the mean of the finite values
/// @param deviation the standard deviation of a sample
/// @param median the middle of the finite values
/// @param quartiles the first and the third one
/// @param length the lengths of texts in characters
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ColumnProfileJson(
    String column,
    String type,
    long nulls,
    @Nullable Long nan,
    @Nullable Long infinite,
    @JsonRawValue @Nullable String min,
    @JsonRawValue @Nullable String max,
    @JsonRawValue @Nullable String mean,
    @JsonRawValue @Nullable String deviation,
    @JsonRawValue @Nullable String median,
    @JsonRawValue @Nullable String quartiles,
    @Nullable Length length,
    @Nullable Long distinctApproximate,
    @Nullable List<Bin> histogram,
    @Nullable List<Frequent> top) {

  /// The digits before the point above which a number with zeros at its end has an exponent.
  private static final int PLAIN_DIGITS_MAXIMUM = 21;

  /// The values from one boundary up to the next one, which only the last bin includes.
  public record Bin(@JsonRawValue String from, @JsonRawValue String to, long count) {}

  /// Lengths in characters.
  public record Length(long min, long max, @JsonRawValue String mean) {

    static @Nullable Length of(@Nullable TextLength length) {
      return length == null
          ? null
          : new Length(
              length.minimum(), length.maximum(), digits(BigDecimal.valueOf(length.mean())));
    }
  }

  /// A value and the number of its rows.
  public record Frequent(@JsonRawValue String value, long count) {}

  public static ColumnProfileJson of(
      ProfiledColumn column, ColumnProfile profile, JsonNumbers numbers) {
    TextOptions options = TextOptions.cut(numbers, ColumnProfile.VALUE_BYTE_SIZE_MAXIMUM);
    boolean isFloating = column.valueType() instanceof ArrowType.FloatingPoint;
    ByteString minimum = profile.minimum();
    ByteString maximum = profile.maximum();
    Numbers middle = profile.numbers();
    List<FrequentValue> frequent = profile.frequent();
    return new ColumnProfileJson(
        column.path().toString(),
        column.field().describeType(),
        profile.nullCount(),
        isFloating ? profile.nanCount() : null,
        isFloating ? profile.infiniteCount() : null,
        minimum == null ? null : json(column, minimum, options),
        maximum == null ? null : json(column, maximum, options),
        middle == null || middle.mean() == null ? null : digits(middle.mean()),
        middle == null || middle.deviation() == null ? null : digits(middle.deviation()),
        middle == null ? null : quartile(column, middle.median(), options),
        middle == null
            ? null
            : "["
                + quartile(column, middle.firstQuartile(), options)
                + ","
                + quartile(column, middle.thirdQuartile(), options)
                + "]",
        Length.of(profile.textLength()),
        profile.distinctCount(),
        profile.histogram() == null ? null : bins(column, profile.histogram(), options),
        frequent == null
            ? null
            : frequent.stream()
                .map(each -> new Frequent(json(column, each.value(), options), each.count()))
                .toList());
  }

  private static List<Bin> bins(ProfiledColumn column, Histogram histogram, TextOptions options) {
    List<String> boundaries =
        histogram.boundaries().stream().map(value -> json(column, value, options)).toList();
    List<Bin> bins = new ArrayList<>();
    for (int i = 0; i < histogram.counts().size(); i++) {
      bins.add(new Bin(boundaries.get(i), boundaries.get(i + 1), histogram.counts().get(i)));
    }
    return bins;
  }

  private static String quartile(ProfiledColumn column, BigDecimal number, TextOptions options) {
    return switch (column.valueType()) {
      case ArrowType.Int(int bitWidth, _)
          when bitWidth == Long.SIZE && options.numbers() == JsonNumbers.STRING ->
          "\"" + digits(number) + "\"";
      case ArrowType.Decimal _ when options.numbers() == JsonNumbers.STRING ->
          "\"" + digits(number) + "\"";
      case ArrowType.Int _, ArrowType.Decimal _ -> digits(number);
      default -> json(column, column.value(number), options);
    };
  }

  /// Returns a number without an exponent, unless that would take many zeros.
  private static String digits(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    boolean isPlain =
        stripped.scale() < 0 && stripped.precision() - stripped.scale() <= PLAIN_DIGITS_MAXIMUM;
    return (isPlain ? stripped.setScale(0) : stripped).toString();
  }

  private static String json(ProfiledColumn column, ByteString value, TextOptions options) {
    ArrayData array = column.array(value);
    if (column.valueType() instanceof ArrowType.FloatingPoint) {
      double number = ((Array.FixedWidth) Array.of(array)).floatingPoint(0);
      if (!Double.isFinite(number)) {
        return "\"" + number + "\"";
      }
    }
    return JsonText.of(array, 0, options);
  }
}
