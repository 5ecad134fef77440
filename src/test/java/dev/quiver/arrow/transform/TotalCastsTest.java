package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.ArrowType.Decimal;
import dev.quiver.arrow.type.ArrowType.Int;
import dev.quiver.arrow.type.ArrowType.Time;
import dev.quiver.arrow.type.ArrowType.Timestamp;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TotalCastsTest {

  private static Field field(ArrowType type, Field... children) {
    return Field.of("x", true, type, children);
  }

  static Stream<Arguments> casts() {
    Field text = field(new ArrowType.Utf8());
    Field int32 = field(new Int(32, true));
    Field int64 = field(new Int(64, true));
    return Stream.of(
        Arguments.of(int32, int64, true),
        Arguments.of(int64, int32, false),
        Arguments.of(int32, int32, true),
        Arguments.of(field(new Int(32, false)), int64, true),
        Arguments.of(field(new Int(32, false)), int32, false),
        Arguments.of(int32, field(new Int(64, false)), false),
        Arguments.of(int64, field(new ArrowType.Duration(TimeUnit.SECOND)), true),
        Arguments.of(
            field(new ArrowType.FloatingPoint(Precision.SINGLE)),
            field(new ArrowType.FloatingPoint(Precision.HALF)),
            false),
        Arguments.of(field(new Decimal(5, 2, 128)), field(new Decimal(5, 2, 256)), true),
        Arguments.of(field(new Decimal(5, 2, 128)), field(new Decimal(5, 2, 32)), false),
        Arguments.of(
            field(new Time(TimeUnit.MILLISECOND, 32)),
            field(new Time(TimeUnit.NANOSECOND, 64)),
            true),
        Arguments.of(
            field(new Time(TimeUnit.MILLISECOND, 32)), field(new Time(TimeUnit.SECOND, 32)), false),
        Arguments.of(
            field(new Timestamp(TimeUnit.SECOND, null)),
            field(new Timestamp(TimeUnit.SECOND, "UTC")),
            true),
        Arguments.of(
            field(new Timestamp(TimeUnit.MICROSECOND, null)),
            field(new Timestamp(TimeUnit.NANOSECOND, null)),
            false),
        Arguments.of(text, field(new ArrowType.LargeUtf8()), true),
        Arguments.of(text, field(new ArrowType.Null()), false),
        Arguments.of(
            text,
            text.withDictionary(new DictionaryEncoding(0, new Int(8, true), /* ordered= */ false)),
            true),
        Arguments.of(field(new ArrowType.Binary()), field(new ArrowType.FixedSizeBinary(2)), false),
        Arguments.of(
            field(new ArrowType.List(), int32), field(new ArrowType.LargeList(), int64), true),
        Arguments.of(
            field(new ArrowType.List(), int64), field(new ArrowType.LargeList(), int32), false),
        Arguments.of(
            field(new ArrowType.List(), int32),
            field(new ArrowType.FixedSizeList(2), int32),
            false),
        Arguments.of(
            field(new ArrowType.Struct(), int32, int64),
            field(new ArrowType.Struct(), int64, int32),
            false));
  }

  @ParameterizedTest
  @MethodSource("casts")
  void holdsForEveryValue(Field from, Field to, boolean expected) {
    assertThat(Casts.of(from, to)).isNotNull();
    assertThat(TotalCasts.isTotal(from, to)).isEqualTo(expected);
  }
}
