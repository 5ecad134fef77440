package dev.quiver.formats.json;

import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.NearestName;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.transform.AppendedTypes;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.FileContents;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import dev.quiver.formats.TextTypes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A JSON file whose columns are known: all its objects decide on them. Shared by threads.
public final class JsonFile {

  /// The first records that decide on the columns if the rest is not needed.
  public static final int SAMPLE_ROWS_MAXIMUM = 20_480;

  private final JsonContent content;
  private final Limits limits;
  private final JsonRecords records;
  private final JsonColumns columns;
  private final Schema schema;
  private final List<Advice> advice;
  private final boolean isAppended;
  private final boolean isPartial;
  private final long rowCount;

  private JsonFile(
      JsonContent content,
      Limits limits,
      JsonRecords records,
      JsonColumns columns,
      Schema schema,
      List<Advice> advice,
      boolean isAppended,
      boolean isPartial,
      long rowCount) {
    this.content = content;
    this.limits = limits;
    this.records = records;
    this.columns = columns;
    this.schema = schema;
    this.advice = advice;
    this.isAppended = isAppended;
    this.isPartial = isPartial;
    this.rowCount = rowCount;
  }

  /// Reads the whole file, or its first records, to find its columns.
  ///
  /// @param limits on the depth of values, and on the number of keys
  /// @param dataset the schema of the dataset to which the rows are appended, or null. The columns
  ///   have the types of its columns of the same names, unless the options state others, or values
  ///   do not fit
  /// @param rows the number of first rows that suffice, or [Long#MAX_VALUE]. The file may end after
  ///   these and those that decide on the columns
  /// @throws InvalidOptionException if the options do not fit the file
  /// @throws ForeignDataException if the file is not JSON, or has records that are not objects
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it is beyond a limit
  public static JsonFile open(
      FileContents contents,
      JsonOptions options,
      Limits limits,
      @Nullable Schema dataset,
      CpuPool pool,
      long rows)
      throws IOException {
    JsonContent content = new JsonContent(contents);
    boolean isPartial = rows < Long.MAX_VALUE;
    Set<String> names = new HashSet<>();
    if (dataset != null) {
      dataset.fields().forEach(field -> names.add(field.name()));
    }
    JsonRecords records = JsonRecordSearch.find(content, options, limits, names);
    JsonShapeReader.Shape shape = shape(content, options, limits, dataset, records, pool, rows);
    JsonShape root = shape.root();
    requireKnown(options, root);
    JsonTypes types = new JsonTypes(options);
    JsonColumns columns = JsonColumns.of(root, types);
    if (columns.columns().isEmpty()) {
      throw ForeignDataException.of("Expected objects with keys but found none");
    }
    if (dataset != null) {
      columns = columns.inOrderOf(dataset);
    }
    List<Advice> advice = new ArrayList<>(records.advice());
    columns.warnings().forEach(sentence -> advice.add(new Advice(sentence)));
    types.warnings().forEach(sentence -> advice.add(new Advice(sentence)));
    Schema read = columns.schema();
    Schema schema = dataset == null ? read : AppendedTypes.of(read, read, dataset).schema();
    return new JsonFile(
        content,
        limits,
        records,
        columns,
        schema,
        advice,
        dataset != null,
        isPartial,
        shape.rowCount());
  }

  private static JsonShapeReader.Shape shape(
      JsonContent content,
      JsonOptions options,
      Limits limits,
      @Nullable Schema dataset,
      JsonRecords records,
      CpuPool pool,
      long rows)
      throws IOException {
    Field stored =
        dataset == null
            ? null
            : Field.of(
                "",
                /* nullable= */ false,
                new ArrowType.Struct(),
                dataset.fields().toArray(Field[]::new));
    long wanted = rows == Long.MAX_VALUE ? rows : Math.max(rows, SAMPLE_ROWS_MAXIMUM);
    JsonShape root = JsonShape.ofRecords(stored, records.isGeoJson());
    long rowCount = 0;
    long shapes = 0;
    try (JsonBlocks<JsonShapeReader.Shape> blocks =
        new JsonBlocks<>(
            content,
            new JsonScanner(content, records, rows < Long.MAX_VALUE),
            pool,
            JsonBlocks.COUNT_MAXIMUM,
            () ->
                new JsonShapeReader(
                    options, limits, () -> JsonShape.ofRecords(stored, records.isGeoJson())))) {
      while (rowCount < wanted) {
        JsonShapeReader.Shape next = blocks.next();
        if (next == null) {
          break;
        }
        shapes += root.addAll(next.root(), rowCount);
        JsonShapeReader.requireCount(limits, shapes);
        blocks.limit(JsonReader.blockCount((int) Math.max(1, shapes)));
        rowCount += next.rowCount();
      }
    }
    return new JsonShapeReader.Shape(root, rowCount);
  }

  private static void requireKnown(JsonOptions options, JsonShape root) {
    Set<String> known = new LinkedHashSet<>();
    for (JsonShape field : root.fields) {
      known.add(field.name);
      if (field.isTransparent) {
        field.fields.forEach(property -> known.add(property.name));
      }
    }
    for (String name : options.types().keySet()) {
      if (!known.contains(name)) {
        throw InvalidOptionException.value(
            JsonOptions.PREFIX + "types",
            known.isEmpty()
                ? "objects with such a key"
                : "the name of a column, such as \"%s\","
                    .formatted(ForeignDataException.excerpt(NearestName.of(name, known))),
            name);
      }
    }
  }

  /// Returns the schema of the rows.
  public Schema schema() {
    return schema;
  }

  /// Returns whether every batch is valid at the highest level. Offsets and bitmaps are made here,
  /// texts were checked, and other values were parsed into the range of their type. Casts are
  /// another matter: a dataset may forbid nulls, for example.
  public boolean makesValidBatches() {
    return schema.equals(columns.schema());
  }

  /// Returns the bytes that the first rows have at least as record batches: what their columns take
  /// if all values are null. A few bytes of objects with different keys can state millions of
  /// nulls.
  public long byteSizeMinimum(long rows) {
    long read = Math.min(rows, rowCount);
    long batchCount = Math.ceilDiv(read, JsonReader.rowCountMaximum(columns, schema));
    double byteSize = 0;
    for (Field field : schema.fields()) {
      byteSize += byteSizeMinimum(field, read, batchCount);
    }
    return (long) byteSize;
  }

  private static double byteSizeMinimum(Field field, long rows, long batchCount) {
    double byteSize = 0;
    for (BufferLayout buffer : Layout.of(field).buffers()) {
      if (buffer.role() != BufferRole.VALIDITY && buffer.bitWidth() > 0) {
        double padding = (double) Framing.BODY_ALIGNMENT * batchCount;
        byteSize += Math.max(padding, (double) rows * buffer.bitWidth() / Byte.SIZE);
      }
    }
    if (field.storageType() instanceof ArrowType.Struct) {
      for (Field child : field.children()) {
        byteSize += byteSizeMinimum(child, rows, batchCount);
      }
    }
    return byteSize;
  }

  /// Returns warnings about columns that may have an unintended type, and about members of the file
  /// that are left out.
  public List<Advice> advice() {
    return advice;
  }

  /// Returns the options by which the file is read: where the records are, if it is one object, and
  /// the types of plain columns.
  public List<FileOption> options() {
    List<FileOption> options = new ArrayList<>();
    String key =
        switch (records.layout()) {
          case OBJECT -> JsonOptions.WHOLE;
          case MEMBER -> String.valueOf(records.found().get(JsonRecords.KEY));
          case ARRAY, OBJECTS -> null;
        };
    if (key != null) {
      options.add(new FileOption(JsonOptions.PREFIX + "records", key));
    }
    Map<String, Integer> counts = new HashMap<>();
    columns.columns().forEach(column -> counts.merge(columns.key(column), 1, Integer::sum));
    int columnCount = columns.columns().size();
    for (JsonColumns.Column column : columns.columns()) {
      Field field = column.field();
      ColumnType type = field.extension().isEmpty() ? TextTypes.of(field) : null;
      boolean isOnly = counts.getOrDefault(columns.key(column), 0) == 1;
      if (type != null && type.isNamed() && isOnly && columnCount <= OptionValues.TYPES_MAXIMUM) {
        options.add(FileOption.ofType(JsonOptions.PREFIX, field.name(), type));
      }
    }
    return options;
  }

  /// Returns what was found rather than stated, by name.
  public Map<String, Object> found() {
    return records.found();
  }

  /// Begins to read the rows.
  ///
  /// @param scratchFolder for working memory that is not to be had otherwise
  /// @param rows the number of rows after which no more blocks are read
  public JsonReader read(CpuPool pool, Path scratchFolder, long rows) throws IOException {
    JsonScanner scanner = new JsonScanner(content, records, isPartial);
    try {
      return new JsonReader(
          content, limits, columns, schema, isAppended, scanner, pool, scratchFolder, rows);
    } catch (RuntimeException | Error e) {
      try (scanner) {
        throw e;
      }
    }
  }

  /// The columns of a file.
  ///
  /// @param record the struct in which a record is read
  /// @param columns in order
  /// @param warnings sentences about names
  record JsonColumns(Field record, List<Column> columns, List<String> warnings) {

    /// A column.
    ///
    /// @param child the index in the record
    /// @param property the index in that child, or -1 if the child is the column
    record Column(Field field, int child, int property) {}

    /// Returns the key of a column in its object, which another column may have as well.
    String key(Column column) {
      Field child = record.children().get(column.child());
      return column.property() < 0 ? child.name() : child.children().get(column.property()).name();
    }

    static JsonColumns of(JsonShape root, JsonTypes types) {
      List<Field> children = new ArrayList<>();
      List<Column> columns = new ArrayList<>();
      List<String> warnings = new ArrayList<>();
      Set<String> members = new HashSet<>();
      root.fields.stream()
          .filter(field -> !field.isTransparent && !isOmitted(root, field))
          .forEach(field -> members.add(field.name));
      for (JsonShape field : root.fields) {
        int index = children.size();
        if (field.isTransparent) {
          List<Field> properties = new ArrayList<>();
          for (JsonShape property : field.fields) {
            Field read = types.field(property, property.name, 1);
            String name = property.name;
            if (members.contains(name)) {
              name = JsonShapeReader.PROPERTIES + "." + name;
              warnings.add(
                  "The property %s is the column %s, since features have %1$s as well"
                      .formatted(
                          ForeignDataException.excerpt(property.name),
                          ForeignDataException.excerpt(name)));
            }
            columns.add(new Column(read.withName(name), index, properties.size()));
            properties.add(read);
          }
          children.add(
              Field.of(
                  field.name,
                  /* nullable= */ true,
                  new ArrowType.Struct(),
                  properties.toArray(Field[]::new)));
        } else {
          Field read =
              root.isFeature && field.name.equals(JsonShapeReader.GEOMETRY)
                  ? JsonTypes.json(field.name)
                  : types.field(field, field.name, 1);
          if (!isOmitted(root, field)) {
            columns.add(new Column(read, index, -1));
          }
          children.add(read);
        }
      }
      Field record =
          Field.of(
              "", /* nullable= */ false, new ArrowType.Struct(), children.toArray(Field[]::new));
      return new JsonColumns(record, columns, warnings);
    }

    /// Returns whether a field is the type of features, which is the same for all.
    private static boolean isOmitted(JsonShape root, JsonShape field) {
      return root.isFeature && !root.hasOtherTypes && field.name.equals("type");
    }

    /// Returns the columns in the order of a dataset if it has the same: objects have none.
    JsonColumns inOrderOf(Schema dataset) {
      Map<String, Integer> order = new HashMap<>();
      dataset.fields().forEach(field -> order.putIfAbsent(field.name(), order.size()));
      if (order.size() != columns.size()
          || !columns.stream().allMatch(column -> order.containsKey(column.field().name()))) {
        return this;
      }
      List<Column> sorted = new ArrayList<>(columns);
      sorted.sort(Comparator.comparingInt(column -> order.get(column.field().name())));
      return new JsonColumns(record, sorted, warnings);
    }

    Schema schema() {
      return Schema.of().withFields(columns.stream().map(Column::field).toList());
    }
  }
}
