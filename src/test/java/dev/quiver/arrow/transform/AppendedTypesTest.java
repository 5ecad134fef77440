package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppendedTypesTest {

  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  private static final ArrowType UTF8 = new ArrowType.Utf8();

  private static Field field(String name, ArrowType type, Field... children) {
    return Field.of(name, true, type, children);
  }

  private static Schema schema(Field... fields) {
    return Schema.of(fields);
  }

  private static List<Field> appended(Schema read, Schema stored) {
    return AppendedTypes.of(read, read, stored).schema().fields();
  }

  @Test
  void columnsGetTheTypesOfTheirNames() {
    Schema read = schema(field("b", INT64), field("a", UTF8), field("c", UTF8));
    Field b = Field.of("b", false, INT8);
    Field a =
        field("a", new ArrowType.LargeUtf8()).withDictionary(new DictionaryEncoding(9, INT8, true));
    AppendedTypes types = AppendedTypes.of(read, read, schema(a, b));
    assertThat(types.names()).containsExactlyInAnyOrder("a", "b");
    assertThat(types.schema().fields())
        .containsExactly(
            b, a.withDictionary(new DictionaryEncoding(0, INT8, false)), field("c", UTF8));
  }

  @Test
  void columnsOfOneNameArePairedInOrder() {
    Schema read = schema(field("a", INT64), field("a", INT64), field("a", INT64));
    assertThat(appended(read, schema(field("a", INT8), field("a", INT64))))
        .containsExactly(field("a", INT8), field("a", INT64), field("a", INT64));
  }

  @Test
  void noValueGetsAnotherMeaning() {
    ArrowType local = new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
    ArrowType zoned = new ArrowType.Timestamp(TimeUnit.SECOND, "Europe/Berlin");
    ArrowType struct = new ArrowType.Struct();
    ArrowType list = new ArrowType.List();
    for (Field[] pair :
        new Field[][] {
          {field("c", local), field("c", zoned)},
          {field("c", list, field("item", local)), field("c", list, field("item", zoned))},
          {field("c", INT64), field("c", new ArrowType.Duration(TimeUnit.SECOND))},
          {field("c", struct, field("x", INT64)), field("c", struct, field("y", INT64))},
          {field("c", UTF8), field("c", INT64)},
        }) {
      assertThat(appended(schema(pair[0]), schema(pair[1]))).containsExactly(pair[0]);
    }
    Field utc = field("c", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC"));
    assertThat(appended(schema(utc), schema(field("c", zoned)))).containsExactly(field("c", zoned));
  }
}
