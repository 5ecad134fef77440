package dev.quiver.sql.query;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.syntax.CatalogTable;
import dev.quiver.sql.syntax.ComparedNames;
import dev.quiver.sql.syntax.SqlNames;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
  private final List<Parameter> parameters;
  private long count;

  /// @param limit the limit on the rows of all lists of a statement
  /// @param parameters the values of the parameters of the statement
  CatalogRows(VisibleDatasets visible, Limit limit, List<Parameter> parameters) {
    this.visible = visible;
    this.limit = limit;
    this.parameters = parameters;
  }

  /// Returns the text that takes the place of a table.
  ///
  /// @throws TooLargeInputException if the rows of this and all previous tables exceed the limit
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
    for (VersionSummary dataset : datasets(table)) {
      Cancellation.current().throwIfRequested();
      add(1);
      ObjectNode row = rows.addObject().put("name", dataset.name().value());
      addColumns(
          fields(dataset),
          row.putArray("columns"),
          row.putArray("types"),
          row.putArray("nullable"));
    }
    return rows;
  }

  private void addColumns(
      List<Field> fields, ArrayNode columns, ArrayNode types, ArrayNode nullable) {
    ColumnNames distinct = new ColumnNames();
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      String type = EngineTypeNames.of(field);
      add(1 + type.length() / TYPE_LENGTH);
      columns.add(distinct.next(ColumnNames.ofColumn(i, field.name())));
      types.add(type);
      nullable.add(field.nullable());
    }
  }

  /// Returns the columns of a dataset, or none if it was deleted or is damaged.
  private List<Field> fields(VersionSummary dataset) throws IOException {
    try (Snapshot snapshot = visible.open(dataset.reference())) {
      return snapshot.schema().fields();
    } catch (DatasetException e) {
      return List.of();
    }
  }

  private void add(long rows) {
    count += rows;
    limit.check(count, "datasets and columns in the lists of a statement", InputLocation.UNKNOWN);
  }

  /// Returns the datasets in the order of their names, at most one more than the limit.
  private List<VersionSummary> datasets(CatalogTable table) throws IOException {
    ComparedNames compared = table.compared();
    Set<String> names = compared == null ? null : compared.names(parameters);
    if (names == null) {
      int maximum = (int) Math.min(limit.maximum(), Integer.MAX_VALUE - 1);
      return visible.list(/* afterName= */ null, maximum + 1);
    }
    List<VersionSummary> datasets = new ArrayList<>();
    for (String name : new TreeSet<>(names)) {
      try {
        DatasetReference reference = new DatasetReference(new DatasetName(name), null);
        datasets.add(visible.datasets().summary(visible.resolve(reference)));
      } catch (IllegalArgumentException | DatasetNotFoundException e) {
        // The list has no such row.
      } catch (DatasetException e) {
        // It was deleted.
      }
    }
    return datasets;
  }
}
