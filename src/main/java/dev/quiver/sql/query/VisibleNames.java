package dev.quiver.sql.query;

import dev.quiver.arrow.type.Field;
import dev.quiver.sql.syntax.ReadableNames;
import dev.quiver.store.VisibleDatasets;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetException;
import dev.quiver.store.version.DatasetReference;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The names of stored datasets and of their columns. A name that cannot be read for any reason is
/// unknown: a statement has failed already, and a hint is not worth another failure.
record VisibleNames(VisibleDatasets visible) implements ReadableNames {

  @Override
  public boolean isDataset(String name) {
    DatasetReference reference = reference(name);
    if (reference == null) {
      return false;
    }
    try {
      visible.datasets().summary(visible.resolve(reference));
      return true;
    } catch (IOException | DatasetException e) {
      return false;
    }
  }

  @Override
  public List<String> columns(String dataset) {
    DatasetReference reference = reference(dataset);
    if (reference == null) {
      return List.of();
    }
    try (Snapshot snapshot = visible.open(reference)) {
      return snapshot.schema().fields().stream().map(Field::name).toList();
    } catch (IOException | DatasetException e) {
      return List.of();
    }
  }

  private static @Nullable DatasetReference reference(String name) {
    try {
      return DatasetReference.parse(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
