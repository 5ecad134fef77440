package dev.quiver.sql.worker;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.parquet.DescribedColumns;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A cast of the engine's result to the types that the service wants, or to the types and metadata
/// of the stored columns that pass through the statement unchanged.
///
/// @param schema of the result after the cast
/// @param casts for each column
record ResultCast(Schema schema, List<Cast> casts) {

  private static final Cast SAME = (array, _) -> array;

  /// @param read the schema of the engine's result
  /// @param stored the schemas of the tables, by their names
  static ResultCast of(Schema read, RunRequest request, Map<String, Schema> stored) {
    if (request.schema().byteSize() > 0) {
      MessageHeader header = MessageDecoder.decode(request.schema(), Limits.DEFAULT).header();
      Schema wanted = ((MessageHeader.SchemaHeader) header).schema();
      return new ResultCast(wanted, Casts.of(read, wanted));
    }
    List<PassedColumn> passed = request.passed();
    // A call of unnest in the list of columns is several columns.
    return passed.size() == read.fields().size()
        ? restored(read, passed, stored)
        : new ResultCast(read, read.fields().stream().map(_ -> SAME).toList());
  }

  private static ResultCast restored(
      Schema read, List<PassedColumn> passed, Map<String, Schema> stored) {
    List<Field> fields = new ArrayList<>();
    List<Cast> casts = new ArrayList<>();
    for (int i = 0; i < passed.size(); i++) {
      Field result = read.fields().get(i);
      Schema table = stored.get(passed.get(i).table());
      Field field =
          table == null
              ? result
              : RestoredFields.of(result, table.fields().get(passed.get(i).column()));
      Cast cast = field.equals(result) ? SAME : Casts.of(result, field);
      fields.add(cast == null ? result : field);
      casts.add(cast == null ? SAME : cast);
    }
    Schema schema = read.withFields(fields);
    return new ResultCast(schema.withMetadata(geography(schema, passed, stored)), casts);
  }

  /// Returns the description of geometries of the first table that has one, if the result has all
  /// described columns under their names.
  private static Metadata geography(
      Schema result, List<PassedColumn> passed, Map<String, Schema> stored) {
    for (Map.Entry<String, Schema> table : stored.entrySet()) {
      Set<String> names = new HashSet<>();
      for (int i = 0; i < passed.size(); i++) {
        PassedColumn column = passed.get(i);
        String name = result.fields().get(i).name();
        if (column.table().equals(table.getKey())
            && table.getValue().fields().get(column.column()).name().equals(name)) {
          names.add(name);
        }
      }
      for (KeyValue entry : table.getValue().metadata().entries()) {
        if (DescribedColumns.of(entry.key()) == DescribedColumns.GEO
            && DescribedColumns.GEO.areRight(entry.value(), names)) {
          return Metadata.of(entry);
        }
      }
    }
    return Metadata.EMPTY;
  }

  /// @param batch of the engine's result
  /// @param allocator for memory that differs
  RecordBatch apply(RecordBatch batch, SegmentAllocator allocator) {
    List<ArrayData> columns = new ArrayList<>();
    for (int i = 0; i < casts.size(); i++) {
      columns.add(casts.get(i).apply(batch.columns().get(i), allocator));
    }
    return new RecordBatch(schema, batch.length(), columns);
  }
}
