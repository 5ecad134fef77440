package dev.quiver.arrow.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Searches through random arrays, against `contains` of Java over values that are folded character
/// by character with a table of the test's own.
@Tag("random")
class TextSearchTest {

  private static final int SEEDS = 300;

  /// Pieces of texts: letters with and without a case, in UTF-8 of all lengths.
  private static final String[] PIECES = {
    "a", "A", "k", "K", "\u212A", "s", "S", "ſ", "ß", "ẞ", "ss", "ﬁ", "f", "i", "I", "İ", "ı", "é",
    "É", "e\u0301", "σ", "Σ", "ς", "µ", "μ", "М", "м", "中", "😀", "𐐀", "𐐨", "-", " ", "0", "\0",
        "ǰ"
  };

  /// The characters of these pieces that do not fold to the character in lower case.
  private static final Map<String, String> FOLDINGS =
      Map.of(
          "ß", "ss", "ẞ", "ss", "ſ", "s", "ﬁ", "fi", "İ", "i\u0307", "ς", "σ", "µ", "μ", "ǰ",
          "j\u030C");

  private static final Field UUIDS =
      Field.of("uuid", true, new ArrowType.FixedSizeBinary(16)).withMetadata(extension("uuid"));

  private static Metadata extension(String name) {
    return new Metadata(
        List.of(new KeyValue(Field.EXTENSION_NAME, ByteString.of("arrow." + name))));
  }

  private static Field text(ArrowType type) {
    return Field.of("text", true, type);
  }

  private static Field encoded(long id, ArrowType.Int index, Field values) {
    return values.withDictionary(new DictionaryEncoding(id, index, false));
  }

  private static Field runs(Field values) {
    return Field.of(
        "runs",
        true,
        new ArrowType.RunEndEncoded(),
        Field.of("run_ends", false, new ArrowType.Int(32, true)),
        values);
  }

  private static Field struct(Field... children) {
    return Field.of("struct", true, new ArrowType.Struct(), children);
  }

  private static final Field UTF8 = text(new ArrowType.Utf8());
  private static final Field VIEW = text(new ArrowType.Utf8View());
  private static final Field NUMBER = Field.of("number", true, new ArrowType.Int(32, true));
  private static final Field BINARY = Field.of("binary", true, new ArrowType.Binary());

  private static final List<Field> FIELDS =
      List.of(
          UTF8,
          text(new ArrowType.LargeUtf8()),
          VIEW,
          UTF8.withMetadata(extension("json")),
          UUIDS,
          NUMBER,
          BINARY,
          encoded(0, new ArrowType.Int(8, true), UTF8),
          encoded(1, new ArrowType.Int(8, false), VIEW),
          encoded(2, new ArrowType.Int(16, true), UTF8),
          encoded(3, new ArrowType.Int(32, true), text(new ArrowType.LargeUtf8())),
          encoded(4, new ArrowType.Int(64, true), UTF8),
          encoded(5, new ArrowType.Int(32, true), UUIDS),
          runs(UTF8),
          runs(encoded(6, new ArrowType.Int(16, false), UTF8)),
          struct(NUMBER, UTF8, struct(VIEW, encoded(7, new ArrowType.Int(8, true), UTF8))),
          struct(NUMBER, BINARY),
          struct(runs(UTF8)),
          Field.of("list", true, new ArrowType.List(), UTF8),
          Field.of("list", true, new ArrowType.LargeList(), struct(NUMBER, UUIDS, VIEW)),
          Field.of("list", true, new ArrowType.ListView(), UTF8),
          Field.of("list", true, new ArrowType.LargeListView(), VIEW),
          Field.of("list", true, new ArrowType.FixedSizeList(2), UTF8),
          Field.of(
              "list",
              true,
              new ArrowType.List(),
              Field.of("list", true, new ArrowType.List(), UTF8)),
          Field.of(
              "map",
              true,
              new ArrowType.Map(false),
              Field.of("entries", false, new ArrowType.Struct(), UTF8.withNullable(false), UTF8)));

  private static String randomText(Random random) {
    StringBuilder text = new StringBuilder();
    int count = random.nextInt(20) == 0 ? random.nextInt(60) : random.nextInt(9);
    boolean isAscii = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      text.append(
          isAscii ? "" + (char) ('A' + random.nextInt(60)) : PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  /// The values of each dictionary.
  private record Dictionaries(Map<Long, List<@Nullable Object>> values) {

    static Dictionaries random(Random random) {
      return new Dictionaries(
          IntStream.range(0, 8)
              .boxed()
              .collect(
                  Collectors.toMap(
                      Long::valueOf,
                      id ->
                          IntStream.range(0, 100)
                              .mapToObj(_ ->
                                  id == 5
                                      ? (Object)
                                          ByteString.of(
                                              bytes(new UUID(random.nextLong(), random.nextLong())))
                                      : randomText(random))
                              .distinct()
                              .collect(Collectors.toList()))));
    }

    @Nullable Object value(Field field, Random random) {
      if (field.nullable() && random.nextInt(8) == 0) {
        return null;
      }
      if (field.dictionary() != null) {
        List<@Nullable Object> all = Objects.requireNonNull(values.get(field.dictionary().id()));
        return all.get(random.nextInt(all.size()));
      }
      List<Field> children = field.children();
      return switch (field.type()) {
        case ArrowType.Int _ -> random.nextInt(100);
        case ArrowType.Text _ -> randomText(random);
        case ArrowType.FixedSizeBinary _ ->
            ByteString.of(bytes(new UUID(random.nextLong(), random.nextLong())));
        case ArrowType.Binary _ -> ByteString.of(randomText(random));
        case ArrowType.RunEndEncoded _ -> value(children.getLast(), random);
        case ArrowType.Struct _ ->
            children.stream()
                .map(child -> value(child, random))
                .collect(ArrayList::new, List::add, List::addAll);
        case ArrowType.FixedSizeList(int size) -> items(children.getFirst(), size, random);
        default -> items(children.getFirst(), random.nextInt(4), random);
      };
    }

    private List<@Nullable Object> items(Field field, int count, Random random) {
      List<@Nullable Object> items = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        items.add(value(field, random));
      }
      return items;
    }
  }

  private static String folded(String text) {
    return text.codePoints()
        .mapToObj(Character::toString)
        .map(each ->
            FOLDINGS.getOrDefault(
                each, Character.toString(Character.toLowerCase(each.codePointAt(0)))))
        .collect(Collectors.joining());
  }

  private static boolean contains(Field field, @Nullable Object value, String literal) {
    return switch (value) {
      case null -> false;
      case String text -> folded(text).contains(literal);
      case ByteString bytes when field.isUuid() -> {
        ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
        yield new UUID(buffer.getLong(), buffer.getLong()).toString().contains(literal);
      }
      case List<?> values -> {
        boolean found = false;
        for (int i = 0; i < values.size(); i++) {
          found |= contains(child(field, i), values.get(i), literal);
        }
        yield found;
      }
      default ->
          field.type() instanceof ArrowType.RunEndEncoded
              && contains(field.children().getLast(), value, literal);
    };
  }

  private static Field child(Field field, int index) {
    return field.children().get(field.type() instanceof ArrowType.Struct ? index : 0);
  }

  private static void addTexts(Field field, @Nullable Object value, List<String> texts) {
    switch (value) {
      case String text when !text.isEmpty() -> texts.add(text);
      case ByteString bytes when field.isUuid() -> {
        ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
        texts.add(new UUID(buffer.getLong(), buffer.getLong()).toString());
      }
      case List<?> values -> {
        for (int i = 0; i < values.size(); i++) {
          addTexts(child(field, i), values.get(i), texts);
        }
      }
      case null, default -> {}
    }
  }

  /// Returns a part of a text of the values, in any case, or a random text.
  private static String literal(Field field, List<@Nullable Object> values, Random random) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> addTexts(field, value, texts));
    String text =
        texts.isEmpty() || random.nextInt(6) == 0
            ? randomText(random) + "a"
            : texts.get(random.nextInt(texts.size()));
    int[] characters = text.codePoints().toArray();
    int start = random.nextInt(characters.length);
    int length = 1 + random.nextInt(Math.min(characters.length - start, 8));
    String part = new String(characters, start, length);
    return switch (random.nextInt(4)) {
      case 0 -> part.toLowerCase(Locale.ROOT).replace('ς', 'σ');
      case 1 -> part.toUpperCase(Locale.ROOT);
      default -> part;
    };
  }

  /// Returns an array as the store reads it: the values of dictionaries have no metadata.
  private static ArrayData stored(ArrayData array) {
    ArrayData dictionary = array.dictionary();
    return with(
        array,
        array.field(),
        dictionary == null
            ? null
            : with(dictionary, dictionary.field().withMetadata(Metadata.EMPTY), null));
  }

  private static ArrayData with(ArrayData array, Field field, @Nullable ArrayData dictionary) {
    return new ArrayData(
        field,
        array.length(),
        array.nullCount(),
        array.buffers(),
        array.children().stream().map(TextSearchTest::stored).toList(),
        dictionary);
  }

  private static BitSet found(TextSearch search, RecordBatch batch, Random random) {
    BitSet found = new BitSet();
    RowSearch rows = search.rows(() -> {});
    long step = random.nextBoolean() ? Long.MAX_VALUE / 2 : 64 * (1 + random.nextInt(20));
    try (Arena arena = Arena.ofConfined()) {
      for (long from = 0; from < batch.length(); from += step) {
        long start = from;
        long length = Math.min(step, batch.length() - from);
        List<ArrayData> columns =
            batch.columns().stream()
                .map(column -> Slices.slice(column, start, length, arena))
                .toList();
        BitSet slice = BitSet.valueOf(rows.find(new RecordBatch(batch.schema(), length, columns)));
        slice.stream().forEach(row -> found.set((int) start + row));
      }
    }
    return found;
  }

  @Test
  void findsWhatJavaFinds() {
    int hits = 0;
    for (int seed : Trials.seeds(SEEDS)) {
      Random random = new Random(seed);
      Dictionaries dictionaries = Dictionaries.random(random);
      for (Field field : FIELDS) {
        int length = random.nextInt(4) == 0 ? 2500 : random.nextInt(300);
        List<@Nullable Object> values = dictionaries.items(field, length, random);
        Schema schema = Schema.of(field, NUMBER);
        try (Arena arena = Arena.ofConfined()) {
          List<Integer> numbers = IntStream.range(0, length).boxed().toList();
          RecordBatch batch =
              new ArrayBuilder(arena, dictionaries.values)
                  .recordBatch(schema, length, List.of(values, numbers));
          for (int i = 0; i < 3; i++) {
            String literal = literal(field, values, random);
            String folded = folded(literal);
            BitSet expected = new BitSet();
            for (int row = 0; row < length; row++) {
              expected.set(row, contains(field, values.get(row), folded));
            }
            TextSearch search = TextSearch.of(literal, schema);
            if (search.columns().length == 0) {
              assertThat(expected.isEmpty()).isTrue();
              continue;
            }
            RecordBatch searched =
                new RecordBatch(
                    Schema.of(field), length, List.of(stored(batch.columns().getFirst())));
            assertThat(found(search, searched, random))
                .as("%s in %s", literal, field)
                .isEqualTo(expected);
            hits += expected.cardinality();
          }
        }
      }
    }
    assertThat(hits).isPositive();
  }

  private static boolean finds(Field field, String value, String literal) {
    try (Arena arena = Arena.ofConfined()) {
      Schema schema = Schema.of(field);
      RecordBatch batch =
          new ArrayBuilder(arena).recordBatch(schema, 3, List.of(List.of("", value, "x")));
      long[] found = TextSearch.of(literal, schema).rows(() -> {}).find(batch);
      assertThat(found[0]).isIn(0L, 2L);
      return found[0] != 0;
    }
  }

  /// Long values are searched in parts of 32 KiB.
  @Test
  void findsTheLiteralAcrossThePartsOfALongValue() {
    for (Field field : List.of(UTF8, VIEW)) {
      for (String filler : List.of("a", "é", "中", "😀")) {
        for (String literal : List.of("needle", "NADEL ß", "針")) {
          for (int before = (32 << 10) - 12; before <= (32 << 10) + 3; before++) {
            int unit = filler.getBytes(StandardCharsets.UTF_8).length;
            String value =
                "x".repeat(before % unit)
                    + filler.repeat(before / unit)
                    + literal
                    + filler.repeat(before / unit);
            assertThat(finds(field, value, literal)).isTrue();
            assertThat(finds(field, value, literal + "z")).isFalse();
          }
        }
      }
    }
  }

  @Test
  void valuesAreNotJoined() {
    try (Arena arena = Arena.ofConfined()) {
      for (Field field : List.of(UTF8, VIEW)) {
        Schema schema = Schema.of(field);
        RecordBatch batch =
            new ArrayBuilder(arena)
                .recordBatch(schema, 4, List.of(List.of("dra", "ma", "DRAMA", "dramadrama")));
        assertThat(TextSearch.of("drama", schema).rows(() -> {}).find(batch))
            .containsExactly(0b1100);
      }
    }
  }

  @Test
  void readsADictionaryOnce() {
    Field field = encoded(9, new ArrowType.Int(8, true), UTF8);
    Schema schema = Schema.of(field);
    try (Arena arena = Arena.ofConfined()) {
      TextSearch search = TextSearch.of("DRAMA", schema);
      for (String first : List.of("Drama", "another text, which nothing reads")) {
        RecordBatch batch =
            new ArrayBuilder(arena, Map.of(9L, List.of(first, "Western")))
                .recordBatch(schema, 3, List.of(List.of("Western", first, "Western")));
        assertThat(search.rows(() -> {}).find(batch)).containsExactly(0b010);
      }
    }
  }

  /// A dictionary may be longer than all rows of the batch that refers to it, and a value too.
  @Test
  void endsWithinADictionaryOrALongValue() {
    List<String> values = IntStream.range(0, 50_000).mapToObj(i -> "value " + i).toList();
    Field field = encoded(9, new ArrowType.Int(32, true), UTF8);
    try (Arena arena = Arena.ofConfined()) {
      RecordBatch batch =
          new ArrayBuilder(arena, Map.of(9L, values))
              .recordBatch(Schema.of(field), 1, List.of(List.of("value 49999")));
      endsEarly(TextSearch.of("E 49999", Schema.of(field)), batch, 6);
      RecordBatch longValue =
          new ArrayBuilder(arena)
              .recordBatch(
                  Schema.of(UTF8), 1, List.of(List.of("value ".repeat(1 << 18) + "e 49999")));
      endsEarly(TextSearch.of("E 49999", Schema.of(UTF8)), longValue, 6);
    }
  }

  private static void endsEarly(TextSearch search, RecordBatch batch, int checks) {
    AtomicInteger count = new AtomicInteger();
    RowSearch ending =
        search.rows(() -> {
          if (count.incrementAndGet() == checks / 2) {
            throw new IllegalStateException("over");
          }
        });
    assertThatThrownBy(() -> ending.find(batch)).hasMessage("over");
    count.set(checks);
    assertThat(search.rows(count::incrementAndGet).find(batch)).containsExactly(1);
    assertThat(count).hasValueGreaterThanOrEqualTo(2 * checks);
  }

  @Test
  void foldsEveryCharacterOfUnicodeAsItsUpperAndLowerCase() {
    Field field = UTF8;
    for (String[] pair :
        new String[][] {
          {"STRASSE", "Straße"},
          {"straße", "STRASSE"},
          {"STRAẞE", "strasse"},
          {"ΟΔΥΣΣΕΥΣ", "Οδυσσεύς".replace("ύ", "υ")},
          {"Kelvin", "\u212Aelvin"},
          {"ﬁsch", "FISCH"},
          {"müller", "MÜLLER"},
          {"МОСКВА", "Москва"},
          {"i\u0307stanbul", "İSTANBUL"},
          {"stanbul", "İSTANBUL"}
        }) {
      assertThat(finds(field, pair[1], pair[0])).as(pair[0]).isTrue();
    }
    // Without rules of Turkish, and without normalization.
    assertThat(finds(field, "ısparta", "ISPARTA")).isFalse();
    assertThat(finds(field, "İSTANBUL", "istanbul")).isFalse();
    assertThat(finds(field, "café", "cafe\u0301")).isFalse();
    assertThat(finds(field, "café", "cafe")).isFalse();
  }
}
