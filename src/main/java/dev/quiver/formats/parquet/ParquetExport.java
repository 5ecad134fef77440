package dev.quiver.formats.parquet;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.type.ArrowType.FixedSizeList;
import dev.quiver.arrow.type.ArrowType.Text;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.formats.SqlLiterals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A Parquet file of the rows of a table, and the statements that write it.
///
/// Equal rows make equal files: rows keep their order, and nothing depends on the time, the machine
/// or the path.
///
/// Beside its columns, the file states their Arrow types as [StatedSchema] says.
public final class ParquetExport {

  /// The name of the table in the statements.
  public static final String TABLE = "rows";

  /// The entries of a dictionary in the file, of some 50 bytes each, unless there are many columns.
  private static final int DICTIONARY_ENTRIES_MAXIMUM = 1 << 16;

  private static final int DICTIONARIES_ENTRIES = 1 << 19;

  /// Fewer entries gain nothing over the engine's own limit.
  private static final int DICTIONARY_ENTRIES_DEFAULT = 6_144;

  private static final int ROW_COUNT_MAXIMUM = 122_880;

  /// The rows that the engine processes at a time.
  private static final int ROW_COUNT_STEP = 2_048;

  /// The bytes of a row group before they are encoded, as long as a step of rows has fewer. The
  /// engine holds a group in memory.
  private static final long GROUP_BYTE_SIZE = 32 << 20;

  /// The bytes of metadata of the schema and its fields. The file has them in the two stated
  /// schemas and as keys. The engine takes all of that as text of the statement, for which it needs
  /// up to 60 times the bytes.
  public static final Limit METADATA = new Limit("a Parquet file", 2 << 20);

  private static final HexFormat HEX = HexFormat.of();

  private final Schema schema;
  private final Schema storable;

  /// The columns that are stated as others if some of their slots are null, or all.
  private final int[] counted;

  /// @throws UnrepresentableTypeException if Parquet has no type for a column
  public ParquetExport(Schema schema) {
    this(schema, schema);
  }

  /// @param stored the schema of the dataset, of which the table may have a part of the columns
  /// @throws UnrepresentableTypeException if Parquet has no type for a column
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the schema has too much metadata
  public ParquetExport(Schema schema, Schema stored) {
    boolean isPart = !schema.fields().equals(stored.fields());
    this.schema =
        schema.withMetadata(
            FooterMetadata.of(schema.metadata(), Set.copyOf(names(schema)), isPart));
    METADATA.check(
        FooterMetadata.byteSize(this.schema),
        "bytes of metadata in the schema of the rows",
        InputLocation.UNKNOWN);
    this.storable = StorableTypes.of(schema);
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      Field field = schema.fields().get(i);
      if (isFlatList(field) || field.dictionary() != null && field.type() instanceof Text) {
        found.add(i);
      }
    }
    this.counted = found.stream().mapToInt(Integer::intValue).toArray();
  }

  private static boolean isFlatList(Field field) {
    return field.type() instanceof FixedSizeList
        && field.dictionary() == null
        && field.children().getFirst().children().isEmpty();
  }

  /// Returns the types in which the engine reads the table: its own types, or others of the same
  /// layout.
  public Schema storableSchema() {
    return storable;
  }

  /// Returns whether the result of [#nullsSql] is needed.
  public boolean needsNulls() {
    return counted.length > 0;
  }

  /// Returns the statement that finds which lists of one size include nulls, and which texts of
  /// dictionaries are anything else.
  public String nullsSql() {
    List<String> names = names(schema);
    return Arrays.stream(counted)
        .mapToObj(i -> {
          String name = SqlLiterals.identifier(names.get(i));
          return isFlatList(schema.fields().get(i))
              ? "coalesce(bool_or(%s IS NULL), false)".formatted(name)
              : "count(%s) > 0 OR count(*) = 0".formatted(name);
        })
        .collect(Collectors.joining(", ", "SELECT ", " FROM " + TABLE));
  }

  /// Returns the columns that are lists of one size without a null, or texts of a dictionary
  /// without anything else.
  ///
  /// @param result of [#nullsSql]
  public Set<Integer> uniformColumns(List<RecordBatch> result) {
    Set<Integer> uniform = new HashSet<>();
    for (RecordBatch batch : result) {
      for (int i = 0; i < counted.length && batch.length() > 0; i++) {
        if (!((Array.Bool) Array.of(batch.columns().get(i))).get(0)) {
          uniform.add(counted[i]);
        }
      }
    }
    return uniform;
  }

  /// Returns the statement that writes the file.
  ///
  /// @param path the file, as the engine names it
  /// @param uniformColumns the result of [#uniformColumns], or none
  /// @param rowByteSize the approximate size of a row without any encoding, of a part with large
  ///   rows
  public String sql(String path, Set<Integer> uniformColumns, long rowByteSize) {
    Schema restorable = RestorableTypes.of(schema, uniformColumns);
    String stated = StatedSchema.encode(restorable);
    return "COPY (FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE %d%s, KV_METADATA {%s})"
        .formatted(
            TABLE,
            SqlLiterals.literal(path),
            groupRowCount(rowByteSize),
            dictionaryOption(restorable.fields()),
            keyValues(stated));
  }

  /// Returns the keys of the footer with their values, as fields of a struct.
  private String keyValues(String stated) {
    Stream<KeyValue> schemas =
        Stream.of(
            KeyValue.of(StatedSchema.KEY, stated),
            KeyValue.of(StatedSchema.EXACT_KEY, StatedSchema.encodeExact(schema, stated)));
    return Stream.concat(schemas, FooterMetadata.keys(schema.metadata()).stream())
        .map(entry -> SqlLiterals.literal(entry.key()) + ": " + literal(entry.value()))
        .collect(Collectors.joining(", "));
  }

  /// Returns a literal of text, or of bytes that are not text in SQL.
  private static String literal(ByteString value) {
    String text = value.toString();
    if (text.indexOf('\0') < 0 && ByteString.of(text).equals(value)) {
      return SqlLiterals.literal(text);
    }
    StringBuilder bytes = new StringBuilder();
    for (byte b : value.toByteArray()) {
      bytes.append("\\x").append(HEX.toHexDigits(b));
    }
    return "'%s'::BLOB".formatted(bytes);
  }

  /// Returns the option for larger dictionaries of the file, if columns are stated as dictionaries:
  /// polars does not read such a column without one. The engine allocates as much for each column.
  private static String dictionaryOption(List<Field> restorable) {
    int entries =
        Math.min(DICTIONARY_ENTRIES_MAXIMUM, DICTIONARIES_ENTRIES / leafCount(restorable));
    return hasDictionary(restorable) && entries > DICTIONARY_ENTRIES_DEFAULT
        ? ", DICTIONARY_SIZE_LIMIT " + entries
        : "";
  }

  private static int leafCount(List<Field> fields) {
    int count = 0;
    for (Field field : fields) {
      count += field.children().isEmpty() ? 1 : leafCount(field.children());
    }
    return Math.max(1, count);
  }

  private static boolean hasDictionary(List<Field> fields) {
    return fields.stream()
        .anyMatch(field -> field.dictionary() != null || hasDictionary(field.children()));
  }

  /// Returns the rows of a group, of which wide ones have fewer.
  static long groupRowCount(long rowByteSize) {
    long count = GROUP_BYTE_SIZE / Math.max(1, rowByteSize) / ROW_COUNT_STEP * ROW_COUNT_STEP;
    return Math.clamp(count, ROW_COUNT_STEP, ROW_COUNT_MAXIMUM);
  }

  /// Returns the names of the columns in the file, which are distinct.
  public static List<String> names(Schema schema) {
    ColumnNames names = new ColumnNames();
    List<String> distinct = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      distinct.add(names.next(ColumnNames.ofColumn(i, schema.fields().get(i).name())));
    }
    return distinct;
  }
}
