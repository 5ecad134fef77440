package dev.quiver.arrow.statistics;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnProfile.FrequentValue;
import dev.quiver.arrow.statistics.ColumnProfile.Histogram;
import dev.quiver.arrow.statistics.ColumnProfile.Numbers;
import dev.quiver.arrow.statistics.ColumnProfile.TextLength;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bytes of several [ColumnProfile]s. Numbers are big-endian.
///
/// ```
/// Profiles  --> Count:int32 Profile{Count}
/// Profile   --> NullCount:int64 NanCount:int64 InfiniteCount:int64
///               Value, the minimum; Value, the maximum
///               DistinctCount:int64, -1 if absent
///               Numbers TextLength Histogram Frequent
/// Numbers   --> Number, the mean; Number, the deviation; Number{3}, the quartiles
/// Number    --> Value, the digits as a signed integer; Scale:int32 unless absent
/// TextLength --> Minimum:int64, -1 if absent; Maximum:int64 Mean:float64 unless absent
/// Histogram --> Count:int32 Value{Count} int64{Count - 1}, no counts if Count is 0, -1 if absent
/// Frequent  --> Count:int32 (Value int64){Count}, -1 if absent
/// Value     --> ByteSize:int32 byte*, -1 if absent
/// ```
public final class ColumnProfileFormat {

  /// The number of this format, and of how statistics are calculated.
  public static final int VERSION = 2;

  private static final int ABSENT = -1;

  private ColumnProfileFormat() {}

  public static byte[] write(List<ColumnProfile> profiles) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeInt(profiles.size());
      for (ColumnProfile profile : profiles) {
        write(profile, output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(ColumnProfile profile, DataOutputStream output) throws IOException {
    output.writeLong(profile.nullCount());
    output.writeLong(profile.nanCount());
    output.writeLong(profile.infiniteCount());
    write(profile.minimum(), output);
    write(profile.maximum(), output);
    Long distinct = profile.distinctCount();
    output.writeLong(distinct == null ? ABSENT : distinct);
    write(profile.numbers(), output);
    write(profile.textLength(), output);
    Histogram histogram = profile.histogram();
    output.writeInt(histogram == null ? ABSENT : histogram.boundaries().size());
    if (histogram != null) {
      for (ByteString boundary : histogram.boundaries()) {
        write(boundary, output);
      }
      for (long count : histogram.counts()) {
        output.writeLong(count);
      }
    }
    List<FrequentValue> frequent = profile.frequent();
    output.writeInt(frequent == null ? ABSENT : frequent.size());
    if (frequent != null) {
      for (FrequentValue value : frequent) {
        write(value.value(), output);
        output.writeLong(value.count());
      }
    }
  }

  private static void write(@Nullable Numbers numbers, DataOutputStream output) throws IOException {
    write(numbers == null ? null : numbers.mean(), output);
    write(numbers == null ? null : numbers.deviation(), output);
    write(numbers == null ? null : numbers.firstQuartile(), output);
    write(numbers == null ? null : numbers.median(), output);
    write(numbers == null ? null : numbers.thirdQuartile(), output);
  }

  private static void write(@Nullable BigDecimal number, DataOutputStream output)
      throws IOException {
    write(number == null ? null : ByteString.of(number.unscaledValue().toByteArray()), output);
    if (number != null) {
      output.writeInt(number.scale());
    }
  }

  private static void write(@Nullable TextLength length, DataOutputStream output)
      throws IOException {
    output.writeLong(length == null ? ABSENT : length.minimum());
    if (length != null) {
      output.writeLong(length.maximum());
      output.writeDouble(length.mean());
    }
  }

  private static void write(@Nullable ByteString value, DataOutputStream output)
      throws IOException {
    output.writeInt(value == null ? ABSENT : value.byteSize());
    if (value != null) {
      output.write(value.toByteArray());
    }
  }

  /// @throws IllegalArgumentException if these are not the bytes of profiles
  public static List<ColumnProfile> read(byte[] bytes) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int count = input.readInt();
      List<ColumnProfile> profiles = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        profiles.add(profile(input));
      }
      if (input.available() > 0) {
        throw new IllegalArgumentException("Expected the end of statistics but found more");
      }
      return profiles;
    } catch (EOFException e) {
      throw new IllegalArgumentException("Expected more statistics but found their end", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ColumnProfile profile(DataInputStream input) throws IOException {
    long nullCount = input.readLong();
    long nanCount = input.readLong();
    long infiniteCount = input.readLong();
    ByteString minimum = value(input);
    ByteString maximum = value(input);
    long distinct = input.readLong();
    return new ColumnProfile(
        nullCount,
        nanCount,
        infiniteCount,
        minimum,
        maximum,
        distinct == ABSENT ? null : distinct,
        numbers(input),
        textLength(input),
        histogram(input),
        frequent(input));
  }

  private static @Nullable Numbers numbers(DataInputStream input) throws IOException {
    BigDecimal mean = number(input);
    BigDecimal deviation = number(input);
    BigDecimal firstQuartile = number(input);
    BigDecimal median = number(input);
    BigDecimal thirdQuartile = number(input);
    return firstQuartile == null || median == null || thirdQuartile == null
        ? null
        : new Numbers(mean, deviation, firstQuartile, median, thirdQuartile);
  }

  private static @Nullable BigDecimal number(DataInputStream input) throws IOException {
    ByteString digits = value(input);
    return digits == null
        ? null
        : new BigDecimal(new BigInteger(digits.toByteArray()), input.readInt());
  }

  private static @Nullable TextLength textLength(DataInputStream input) throws IOException {
    long minimum = input.readLong();
    return minimum == ABSENT ? null : new TextLength(minimum, input.readLong(), input.readDouble());
  }

  private static @Nullable Histogram histogram(DataInputStream input) throws IOException {
    int count = input.readInt();
    if (count == ABSENT) {
      return null;
    }
    List<ByteString> boundaries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boundaries.add(present(value(input)));
    }
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < count - 1; i++) {
      counts.add(input.readLong());
    }
    return new Histogram(boundaries, counts);
  }

  private static @Nullable List<FrequentValue> frequent(DataInputStream input) throws IOException {
    int count = input.readInt();
    if (count == ABSENT) {
      return null;
    }
    List<FrequentValue> frequent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      frequent.add(new FrequentValue(present(value(input)), input.readLong()));
    }
    return frequent;
  }

  private static ByteString present(@Nullable ByteString value) {
    if (value == null) {
      throw new IllegalArgumentException("Expected a value but found none");
    }
    return value;
  }

  private static @Nullable ByteString value(DataInputStream input) throws IOException {
    int byteSize = input.readInt();
    if (byteSize == ABSENT) {
      return null;
    }
    if (byteSize < 0 || byteSize > input.available()) {
      throw new EOFException();
    }
    return ByteString.of(input.readNBytes(byteSize));
  }
}
