package dev.quiver.arrow.type;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FieldTest {

  @Test
  void describesTheTypeWithItsChildren() {
    Field item = Field.of("item", false, new ArrowType.Int(32, true));
    Field list = Field.of("list", true, new ArrowType.List(), item);
    DictionaryEncoding encoding = new DictionaryEncoding(1, new ArrowType.Int(8, true), true);
    Field struct = Field.of("s", true, new ArrowType.Struct(), list, item.withDictionary(encoding));
    assertThat(item.describeType()).isEqualTo("int32");
    assertThat(list.describeType()).isEqualTo("list<item: int32 not null>");
    assertThat(struct.describeType())
        .isEqualTo(
            "struct<list: list<item: int32 not null>, item: dictionary<int8, int32, ordered> not null>");
    assertThat(list).hasToString("list: list<item: int32 not null>");
  }

  @Test
  void truncatesALongDescription() {
    int maximum = Field.DESCRIPTION_LENGTH_MAXIMUM;
    Field exact = Field.of("n".repeat(maximum - 14), true, new ArrowType.Utf8());
    Field struct = Field.of("", true, new ArrowType.Struct(), exact);
    assertThat(struct.describeType()).hasSize(maximum).endsWith("n: utf8>");
    Field longer = Field.of("n".repeat(maximum - 13), true, new ArrowType.Utf8());
    struct = Field.of("", true, new ArrowType.Struct(), longer, longer);
    assertThat(struct.describeType()).hasSize(maximum + 1).endsWith("n: utf8…");
    assertThat(longer.toString()).hasSize(maximum - 13 + 6);
  }
}
