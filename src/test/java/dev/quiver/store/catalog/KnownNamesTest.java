package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.AgingDatasets;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Permission;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.version.DatasetReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Suggestions come from names that were seen and may be read.
class KnownNamesTest {

  private final KnownNames names = new KnownNames();

  @Test
  void suggestsTheNearestName() {
    List.of("weather", "flights", "flights-2026", "Sales").forEach(names::add);
    assertThat(names.nearest("wether", Permissions.ADMIN)).isEqualTo("weather");
    assertThat(names.nearest("fligths", Permissions.ADMIN)).isEqualTo("flights");
    assertThat(names.nearest("sales", Permissions.ADMIN)).isEqualTo("Sales");
    assertThat(names.contains("flights", Permissions.ADMIN)).isTrue();
    assertThat(names.contains("fligths", Permissions.ADMIN)).isFalse();
  }

  @Test
  void suggestsNothingBeyondHalfOfTheLetters() {
    List.of("bom", "mx", "ab").forEach(names::add);
    assertThat(names.nearest("nope", Permissions.ADMIN)).isNull();
    assertThat(names.nearest("x.parquet", Permissions.ADMIN)).isNull();
    assertThat(names.nearest("bomb", Permissions.ADMIN)).isEqualTo("bom");
    assertThat(names.nearest("boxer", Permissions.ADMIN)).isNull();
    assertThat(names.nearest("", Permissions.ADMIN)).isNull();
  }

  @Test
  void suggestsOnlyWhatMayBeRead() {
    List.of("secret", "public").forEach(names::add);
    Permissions some = Permissions.of(List.of(Permission.parse("read:public")));
    assertThat(names.nearest("secrets", some)).isNull();
    assertThat(names.contains("secret", some)).isFalse();
    assertThat(names.nearest("publics", some)).isEqualTo("public");
  }

  @Test
  void forgetsDeletedNames() {
    names.add("weather");
    names.remove("weather");
    assertThat(names.nearest("weather", Permissions.ADMIN)).isNull();
  }

  /// Another process may have written the dataset.
  @Test
  void knowsTheNamesOfDatasetsThatWereRead(@TempDir Path folder) throws IOException {
    AgingDatasets aging = new AgingDatasets(folder);
    aging.put();
    Datasets other = aging.on(aging.store);
    KnownNames seen = other.listing().knownNames();
    assertThat(seen.contains("flights", Permissions.ADMIN)).isFalse();
    other.open(DatasetReference.parse("flights")).close();
    assertThat(seen.contains("flights", Permissions.ADMIN)).isTrue();
  }

  @Test
  void keepsTheFirstNames() {
    for (int i = 0; i < 5_001; i++) {
      names.add("dataset-%04d".formatted(i));
    }
    assertThat(names.contains("dataset-4999", Permissions.ADMIN)).isTrue();
    assertThat(names.contains("dataset-5000", Permissions.ADMIN)).isFalse();
    names.remove("dataset-0000");
    names.add("dataset-5000");
    assertThat(names.contains("dataset-5000", Permissions.ADMIN)).isTrue();
  }

  @Test
  void readsNamesOfFoldersAndManifests() {
    names.addAll(
        List.of("manifests/_a_/", "manifests/_!b_/1", "manifests/.other/", "manifests/__/"));
    assertThat(names.contains("a", Permissions.ADMIN)).isTrue();
    assertThat(names.contains("B", Permissions.ADMIN)).isTrue();
    assertThat(names.contains("", Permissions.ADMIN)).isFalse();
  }
}
