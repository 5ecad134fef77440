package dev.quiver.sql.query;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.StatementTime;
import dev.quiver.sql.syntax.CatalogTable;
import dev.quiver.sql.syntax.ComparedNames;
import dev.quiver.sql.syntax.SqlNames;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The datasets that a principal may read, and their columns, as queries in the place of tables of
/// the engine's catalog. Manifests are read for names, and schemas only for columns. Used by one
/// thread.
final class CatalogRows {

  /// A row with a type of so many characters counts once more.
  private static final int TYPE_LENGTH = 1024;

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final VisibleDatasets visible;
  private final Limit limit;
  private final StatementTime.Running time;
  private final List<Parameter> parameters;
  private final AtomicLong count = new AtomicLong();

  /// @param limit the limit on the rows of all lists of a statement
  /// @param time the time of the statement
  /// @param parameters the values of the parameters of the statement
  CatalogRows(
      VisibleDatasets visible,
      Limit limit,
      StatementTime.Running time,
      List<Parameter> parameters) {
    this.visible = visible;
    this.limit = limit;
    this.time = time;
    this.parameters = parameters;
  }

  /// Returns the text that takes the place of a table.
  ///
  /// @throws TooLargeInputException if the rows of this and all previous tables exceed the limit
  /// @throws SqlException.Timeout if the time of the statement is over
  /// @throws dev.quiver.arrow.parallel.CancelledException if the client leaves
  String text(CatalogTable table) throws IOException {
    String alias = table.name().isEmpty() ? "" : " AS " + SqlNames.quoted(table.name());
    return switch (table.kind()) {
      case DESCRIPTION -> CatalogQueries.description(table.name());
      case SCHEMATA -> CatalogQueries.SCHEMATA + alias;
      case NAMES -> CatalogQueries.names(names(table).toString());
      case TABLES -> CatalogQueries.tables(names(table).toString()) + alias;
      case NAMES_AND_COLUMNS -> CatalogQueries.namesAndColumns(columns(table).toString());
      case COLUMNS -> CatalogQueries.columns(columns(table).toString()) + alias;
    };
  }

  private ArrayNode names(CatalogTable table) throws IOException {
    ArrayNode rows = MAPPER.createArrayNode();
    for (VersionSummary dataset : datasets(table)) {
      add(1);
      rows.addObject().put("name", dataset.name().value());
    }
    return rows;
  }

  /// Returns an object for each dataset, with its columns in arrays.
  private ArrayNode columns(CatalogTable table) throws IOException {
    ArrayNode rows = MAPPER.createArrayNode();
    rows.addAll(visible.datasets().listing().forEach(datasets(table), this::row));
    return rows;
  }

  private ObjectNode row(VersionSummary dataset) throws IOException {
    check();
    add(1);
    ObjectNode row = MAPPER.createObjectNode().put("name", dataset.name().value());
    ArrayNode columns = row.putArray("columns");
    ArrayNode types = row.putArray("types");
    ArrayNode nullable = row.putArray("nullable");
    try (Snapshot snapshot = visible.open(dataset.reference())) {
      List<Field> fields = snapshot.schema().fields();
      add(fields.size());
      List<String> names = EngineTypeNames.of(snapshot, this::check);
      ColumnNames distinct = new ColumnNames();
      for (int i = 0; i < fields.size(); i++) {
        Field field = fields.get(i);
        String type = names.get(i);
        add(type.length() / TYPE_LENGTH);
        columns.add(distinct.next(ColumnNames.ofColumn(i, field.name())));
        types.add(type);
        nullable.add(field.nullable());
      }
    } catch (DatasetException | DamagedBlobException e) {
      // It was deleted or is damaged, and has no columns.
    }
    return row;
  }

  private void add(long rows) {
    limit.check(
        count.addAndGet(rows),
        "datasets and columns in the lists of a statement",
        InputLocation.UNKNOWN);
  }

  /// Checks whether lists may be read on.
  private void check() {
    time.check();
    Cancellation.current().throwIfRequested();
  }

  /// Returns the datasets in the order of their names, at most one more than the limit.
  private List<VersionSummary> datasets(CatalogTable table) throws IOException {
    ComparedNames compared = table.compared();
    Set<String> names = compared == null ? null : compared.names(parameters);
    if (names == null) {
      int maximum = (int) Math.min(limit.maximum(), Integer.MAX_VALUE - 1);
      return visible.list(maximum + 1, this::check);
    }
    List<@Nullable VersionSummary> found =
        visible.datasets().listing().forEach(new TreeSet<>(names), this::summary);
    return found.stream().flatMap(Stream::ofNullable).toList();
  }

  /// Returns the latest version of a dataset, or null if the list has no row for it.
  private @Nullable VersionSummary summary(String name) throws IOException {
    check();
    try {
      DatasetReference reference = new DatasetReference(new DatasetName(name), null);
      return visible.datasets().summary(visible.resolve(reference));
    } catch (IllegalArgumentException | DatasetException e) {
      return null;
    } catch (DamagedBlobException e) {
      // It is in lists of all datasets as well.
      Long version = DatasetReference.parse(e.version()).version();
      return version == null ? null : VersionSummary.damaged(new DatasetName(name), version);
    }
  }
}
