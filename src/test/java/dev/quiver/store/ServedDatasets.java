package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.Pieces.Piece;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Datasets that are open in this process.
record ServedDatasets(Datasets datasets) implements Ledger.Served {

  private static final int ALL = 1_000_000;

  @Override
  public Set<DatasetName> names() throws IOException {
    return DatasetLists.list(datasets, null, ALL).stream()
        .map(VersionSummary::name)
        .collect(Collectors.toSet());
  }

  @Override
  public List<Long> versions(DatasetName name) throws IOException {
    try {
      return DatasetLists.versions(datasets, name, null, ALL).stream()
          .map(VersionSummary::version)
          .toList();
    } catch (DatasetNotFoundException | DatasetGoneException e) {
      return List.of();
    }
  }

  @Override
  public List<Piece> pieces(DatasetName name, @Nullable Long version) throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(name, version))) {
      List<Piece> file = Pieces.ofFile(DatasetTestFolder.read(snapshot, snapshot.file()));
      List<Piece> stream = Pieces.ofStream(DatasetTestFolder.read(snapshot, snapshot.stream()));
      assertThat(stream).isEqualTo(file);
      return file;
    }
  }
}
