package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A selection of a schema's columns, and of the fields below them.
///
/// A token is first matched against whole column names, then parsed as a [ColumnToken]. A path
/// passes through structs, and through lists without naming their item: `b.c` keeps `b` with only
/// `c` in it. Other fields are kept whole or not at all. Each field is kept once, in the order of
/// first mention.
public final class Projection {

  private static final String EXTENSION_KEY_PREFIX = "ARROW:extension:";

  private final Schema source;
  private final Schema schema;
  private final List<Kept> columns;

  private Projection(Schema source, Schema schema, Collection<Kept> columns) {
    this.source = source;
    this.schema = schema;
    this.columns = List.copyOf(columns);
  }

  /// Returns the projection to the columns that `lists` name.
  ///
  /// @param lists comma-separated tokens, at least one
  /// @throws InvalidColumnsException if a token names no field, several fields, or one below a
  ///   field that is kept only as a whole
  public static Projection of(Schema schema, List<String> lists) {
    Map<Integer, Kept> columns = new LinkedHashMap<>();
    ColumnResolver resolver = new ColumnResolver(schema);
    for (String list : lists) {
      for (String token : ColumnToken.tokens(list)) {
        add(columns, resolver.path(token));
      }
    }
    return of(schema, columns.values());
  }

  /// Returns the fields that `lists` name, in the order of mention: the index of a column, then of
  /// a child in each struct.
  ///
  /// @param lists comma-separated tokens, at least one
  /// @throws InvalidColumnsException if a token names no field, several fields, or one below a
  ///   field that is not a struct
  public static List<List<Integer>> pathsThroughStructs(Schema schema, List<String> lists) {
    List<List<Integer>> paths = new ArrayList<>();
    ColumnResolver resolver = new ColumnResolver(schema);
    for (String list : lists) {
      for (String token : ColumnToken.tokens(list)) {
        List<Integer> path = resolver.path(token);
        requireStructs(schema, path, token);
        paths.add(path);
      }
    }
    return paths;
  }

  private static void requireStructs(Schema schema, List<Integer> path, String token) {
    Field field = schema.fields().get(path.getFirst());
    for (int index : path.subList(1, path.size())) {
      if (!(field.storageType() instanceof ArrowType.Struct)) {
        throw new InvalidColumnsException("a path through structs", field.toString(), token);
      }
      field = field.children().get(index);
    }
  }

  /// Returns the projection to whole columns.
  ///
  /// @param indices the indices of the columns, in the order of the result
  public static Projection ofColumns(Schema schema, int... indices) {
    Map<Integer, Kept> columns = new LinkedHashMap<>();
    for (int index : indices) {
      add(columns, List.of(index));
    }
    return of(schema, columns.values());
  }

  private static Projection of(Schema schema, Collection<Kept> columns) {
    List<Field> fields =
        columns.stream().map(kept -> kept.field(schema.fields().get(kept.index))).toList();
    return new Projection(schema, schema.withFields(fields), columns);
  }

  /// Returns the projection to all columns.
  public static Projection all(Schema schema) {
    List<Kept> columns = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      Kept kept = new Kept(i);
      kept.whole = true;
      columns.add(kept);
    }
    return new Projection(schema, schema, columns);
  }

  /// Returns the projection to the columns with dictionary-encoded fields.
  public Projection withDictionaries() {
    List<Field> fields = new ArrayList<>();
    List<Kept> kept = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      if (hasDictionary(schema.fields().get(i))) {
        fields.add(schema.fields().get(i));
        kept.add(columns.get(i));
      }
    }
    return new Projection(
        source,
        new Schema(fields, schema.metadata(), schema.endianness(), schema.features()),
        kept);
  }

  private static boolean hasDictionary(Field field) {
    return field.dictionary() != null
        || field.children().stream().anyMatch(Projection::hasDictionary);
  }

  /// Returns the schema of the kept fields, with all of its metadata.
  public Schema schema() {
    return schema;
  }

  /// Returns the kept columns of a batch, which share its buffers.
  public RecordBatch apply(RecordBatch batch) {
    List<ArrayData> arrays = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Kept kept = columns.get(i);
      arrays.add(kept.array(batch.columns().get(kept.index), schema.fields().get(i)));
    }
    return new RecordBatch(schema, batch.length(), arrays, batch.customMetadata());
  }

  /// Returns the kept entries of a batch's header. The buffers stay at their offsets in the body.
  ///
  /// @throws dev.quiver.arrow.memory.MalformedInputException if the header does not match the
  ///   schema
  public RecordBatchHeader apply(RecordBatchHeader header) {
    List<ListedArray> listed = ListedArray.of(source.fields(), header);
    ListedArray.Lists lists = new ListedArray.Lists();
    columns.forEach(kept -> kept.list(listed.get(kept.index), lists));
    return new RecordBatchHeader(
        header.length(),
        lists.nodes(),
        lists.buffers(),
        header.compression(),
        lists.variadicBufferCounts());
  }

  /// Returns whether every column is kept, whole and in its original position.
  public boolean keepsAll() {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).index != i || !columns.get(i).whole) {
        return false;
      }
    }
    return columns.size() == source.fields().size();
  }

  /// Returns the positions of the kept fields, such as `3.0(2.1)` for column 3 and of column 0 the
  /// fields 2 and 1. The same fields in the same order have the same text, however they were
  /// requested.
  public String positions() {
    StringBuilder positions = new StringBuilder();
    describe(columns, positions);
    return positions.toString();
  }

  private static void describe(Collection<Kept> siblings, StringBuilder positions) {
    String separator = "";
    for (Kept kept : siblings) {
      positions.append(separator).append(kept.index);
      separator = ".";
      if (!kept.whole) {
        positions.append('(');
        describe(kept.children.values(), positions);
        positions.append(')');
      }
    }
  }

  private static void add(Map<Integer, Kept> siblings, List<Integer> path) {
    Kept kept = siblings.computeIfAbsent(path.getFirst(), Kept::new);
    if (path.size() == 1) {
      kept.whole = true;
    } else {
      add(kept.children, path.subList(1, path.size()));
    }
  }

  /// A kept field, and its kept children.
  private static final class Kept {
    private final int index;
    private final Map<Integer, Kept> children = new LinkedHashMap<>();
    private boolean whole;

    Kept(int index) {
      this.index = index;
    }

    Field field(Field field) {
      if (whole) {
        return field;
      }
      List<Field> fields =
          children.values().stream()
              .map(kept -> kept.field(field.children().get(kept.index)))
              .toList();
      // An extension type does not apply to another storage type.
      Metadata metadata =
          new Metadata(
              field.metadata().entries().stream()
                  .filter(entry -> !entry.key().startsWith(EXTENSION_KEY_PREFIX))
                  .toList());
      return new Field(
          field.name(), field.nullable(), field.type(), field.dictionary(), fields, metadata);
    }

    void list(ListedArray array, ListedArray.Lists lists) {
      if (whole) {
        lists.addWhole(array);
        return;
      }
      lists.add(array);
      children.values().forEach(kept -> kept.list(array.children().get(kept.index), lists));
    }

    ArrayData array(ArrayData array, Field field) {
      if (whole) {
        return array;
      }
      List<ArrayData> arrays = new ArrayList<>();
      for (Kept kept : children.values()) {
        Field child = field.children().get(arrays.size());
        arrays.add(kept.array(array.children().get(kept.index), child));
      }
      return new ArrayData(
          field, array.length(), array.nullCount(), array.buffers(), arrays, array.dictionary());
    }
  }
}
