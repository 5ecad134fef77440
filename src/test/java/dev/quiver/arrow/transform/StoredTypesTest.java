package dev.quiver.arrow.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredTypesTest {

  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType UTF8 = new ArrowType.Utf8();
  private static final Metadata METADATA = Metadata.of(new KeyValue("k", ByteString.of("v")));

  private static Field dictionary(String name, long id, boolean ordered) {
    return Field.of(name, true, UTF8)
        .withDictionary(new DictionaryEncoding(id, new ArrowType.Int(8, true), ordered));
  }

  @Test
  void restoresTypesNamesNullabilityAndMetadata() {
    Schema read = Schema.of(Field.of("a", true, INT64), Field.of("A_1", true, UTF8));
    Schema stored =
        Schema.of(
                Field.of("a", false, new ArrowType.Duration(TimeUnit.SECOND))
                    .withMetadata(METADATA),
                Field.of("A", true, new ArrowType.Utf8View()))
            .withMetadata(METADATA);
    StoredTypes types = StoredTypes.of(read, List.of("a", "A"), stored);
    assertThat(types.schema()).isEqualTo(stored);
    assertThat(types.keptColumns()).isEmpty();
    assertThat(types.unorderedColumns()).isEmpty();
  }

  @Test
  void columnKeepsATypeThatDoesNotCast() {
    Schema read = Schema.of(Field.of("a", true, UTF8), Field.of("b", true, INT64));
    Schema stored =
        Schema.of(Field.of("a", true, INT64), Field.of("b", true, new ArrowType.Int(8, true)));
    StoredTypes types = StoredTypes.of(read, List.of("a", "b"), stored);
    assertThat(types.schema().fields())
        .containsExactly(read.fields().get(0), stored.fields().get(1));
    assertThat(types.keptColumns()).containsExactly("a");
  }

  @Test
  void structKeepsItsFieldsIfTheSchemaHasOthers() {
    ArrowType.Struct struct = new ArrowType.Struct();
    Field read =
        Field.of("p", true, struct, Field.of("lon", true, INT64), Field.of("lat", true, INT64));
    Field swapped =
        Field.of("p", true, struct, Field.of("lat", true, INT64), Field.of("lon", true, INT64));
    Field list = Field.of("l", true, new ArrowType.List(), read);
    StoredTypes types =
        StoredTypes.of(
            Schema.of(read, list),
            List.of("p", "l"),
            Schema.of(swapped, Field.of("l", true, new ArrowType.LargeList(), swapped)));
    assertThat(types.schema().fields()).containsExactly(read, list);
    assertThat(types.keptColumns()).containsExactly("p", "l");
  }

  @Test
  void namesOfAMapsEntriesAreNotData() {
    Field read =
        Field.of(
            "m",
            true,
            new ArrowType.Map(false),
            Field.of(
                "entries",
                false,
                new ArrowType.Struct(),
                Field.of("key", false, UTF8),
                Field.of("value", true, INT64)));
    Field stored =
        Field.of(
            "m",
            true,
            new ArrowType.Map(false),
            Field.of(
                "key_value",
                false,
                new ArrowType.Struct(),
                Field.of("k", false, UTF8),
                Field.of("v", true, new ArrowType.Int(8, true))));
    StoredTypes types = StoredTypes.of(Schema.of(read), List.of("m"), Schema.of(stored));
    assertThat(types.schema().fields()).containsExactly(stored);
  }

  @Test
  void schemaOfOtherColumnsIsIgnored() {
    Schema read = Schema.of(Field.of("a", true, INT64), Field.of("a_1", true, INT64));
    Schema expected = Schema.of(Field.of("a", true, INT64), Field.of("a", true, INT64));
    List<String> names = List.of("a", "a");
    Schema stored =
        Schema.of(Field.of("a", true, new ArrowType.Int(8, true))).withMetadata(METADATA);
    assertThat(StoredTypes.of(read, names, stored))
        .isEqualTo(new StoredTypes(expected, names, List.of()));
    assertThat(StoredTypes.of(read, names, null))
        .isEqualTo(new StoredTypes(expected, List.of(), List.of()));
  }

  @Test
  void dictionariesHaveNumbersOfTheirOwnAndNoOrder() {
    Field text = Field.of("t", true, UTF8);
    Field list = Field.of("l", true, new ArrowType.List(), text);
    Schema read = Schema.of(Field.of("a", true, UTF8), list, Field.of("c", true, UTF8));
    Schema stored =
        Schema.of(
            dictionary("a", 0, true),
            Field.of("l", true, new ArrowType.List(), dictionary("t", 0, true)),
            dictionary("c", 0, false));
    StoredTypes types = StoredTypes.of(read, List.of("a", "l", "c"), stored);
    assertThat(types.schema().fields())
        .containsExactly(
            dictionary("a", 0, false),
            Field.of("l", true, new ArrowType.List(), dictionary("t", 1, false)),
            dictionary("c", 2, false));
    assertThat(types.unorderedColumns()).containsExactly("a", "l");
    assertThat(types.keptColumns()).isEmpty();
  }
}
