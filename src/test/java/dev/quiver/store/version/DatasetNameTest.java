package dev.quiver.store.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Valid names and references, and the keys of their blobs.
class DatasetNameTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "7",
        "flights",
        "Flights-2024_v1.2",
        "a.",
        "CON",
        "arrow",
        "x.arrow2",
        "a..b"
      })
  void acceptsValidDatasetNames(String name) {
    assertThat(DatasetName.parseNew(name).value()).isEqualTo(name);
    assertThat(DatasetReference.parse(name))
        .isEqualTo(new DatasetReference(new DatasetName(name), null))
        .hasToString(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {".a", "-a", "_a", "a b", "a/b", "ä", "a@b", "a%", "a\n", "a\u0000"})
  void rejectsOtherCharactersInADatasetName(String name) {
    assertThatThrownBy(() -> DatasetName.parseNew(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected a letter or digit and then letters, digits, '.', '_' or '-' but found \""
                + name
                + "\" at the name of a dataset");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.arrow",
        "a.ARROWS",
        "a.Feather",
        "a.ipc",
        "a.json",
        "a.jsonl",
        "a.ndjson",
        "a.csv",
        "a.Tsv",
        "a.html",
        "a.parquet",
        "a.avro",
        "a.zip",
        "a.csv.gz",
        "a.zst"
      })
  void rejectsDatasetNamesWithAFormatSuffix(String name) {
    assertThatThrownBy(() -> DatasetName.parseNew(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected a name without the suffix of a representation but found \""
                + name
                + "\" at the name of a dataset");
  }

  @Test
  void limitsTheLengthOfDatasetNames() {
    assertThat(DatasetName.parseNew("a".repeat(100)).value()).hasSize(100);
    assertThatThrownBy(() -> DatasetName.parseNew("a".repeat(101)))
        .hasMessage(
            "Expected 1 to 100 characters but found 101 characters at the name of a dataset");
    assertThatThrownBy(() -> DatasetName.parseNew(""))
        .hasMessage("Expected 1 to 100 characters but found 0 characters at the name of a dataset");
  }

  @Test
  void parsesAReferenceToAVersion() {
    DatasetReference reference = DatasetReference.parse("flights@17");
    assertThat(reference).isEqualTo(new DatasetReference(new DatasetName("flights"), 17L));
    assertThat(reference).hasToString("flights@17");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a@", "a@0", "a@01", "a@-1", "a@+1", "a@1@2", "a@x", "a@1234567890123456789"})
  void rejectsInvalidVersionNumbers(String reference) {
    assertThatThrownBy(() -> DatasetReference.parse(reference))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected a version number from 1 but found \""
                + reference.substring(2)
                + "\" after @");
  }

  /// File systems may ignore case, drop trailing dots, or reserve names such as CON.
  @ParameterizedTest
  @CsvSource({"flights, _flights_", "Flights, _!flights_", "CON, _!c!o!n_", "a., _a._"})
  void keysAreSafeOnEveryFileSystem(String name, String segment) {
    assertThat(StoreKeys.manifest(new DatasetName(name), 1))
        .isEqualTo("manifests/" + segment + "/9223372036854775806");
    assertThat(StoreKeys.newData(new DatasetName(name)))
        .matches("data/" + segment + "/[0-9a-z]{26}\\.arrow");
  }

  @Test
  void keysSortTheLatestManifestFirst() {
    DatasetName name = new DatasetName("a");
    assertThat(StoreKeys.manifest(name, 1000)).isLessThan(StoreKeys.manifest(name, 999));
    assertThat(StoreKeys.manifest(name, Long.MAX_VALUE)).endsWith("/0000000000000000000");
  }

  @Test
  void encodesSortableIdentifiers() {
    assertThat(Ulid.encode(0, 0)).isEqualTo("0".repeat(26));
    assertThat(Ulid.encode(-1, -1)).isEqualTo("7" + "z".repeat(25));
    assertThat(Ulid.encode(0, 33)).isEqualTo("0".repeat(24) + "11");
    assertThat(Ulid.encode(1, 0)).isEqualTo("0".repeat(13) + "g" + "0".repeat(12));
    assertThat(Ulid.next()).matches("[0-9a-z]{26}").isNotEqualTo(Ulid.next());
  }

  @Test
  void dataKeyHasTheTimeOfItsUpload() {
    Instant now = Instant.parse("2026-11-20T09:00:00.123Z");
    String key = StoreKeys.newData(new DatasetName("a"), now);
    assertThat(StoreKeys.time(key)).isEqualTo(now);
    assertThat(StoreKeys.time(key + ".manifest")).isEqualTo(now);
    assertThat(key).isLessThan(StoreKeys.newData(new DatasetName("a"), now.plusMillis(1)));
    for (String other : List.of("", "0", "u".repeat(26), "8" + "0".repeat(25))) {
      assertThatThrownBy(() -> StoreKeys.time("data/_a_/" + other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Expected an identifier but found \"" + other + "\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cities.arrow, cities",
    "a/b/c.feather, a.b.c",
    "d.Ipc, d",
    "Upper Case.ARROWS, Upper-Case",
    "K\u00f6ln.arrow, Koln",
    "Ko\u0308ln.arrow, Koln",
    "\ufb01le.arrow, file",
    "a+b=c!.arrow, a-b-c-",
    "_x.arrow, x",
    "-/_/7.arrow, 7",
    "t.csv, t",
    "t.csv.arrow, t-csv",
    "t.arrow.csv, t-arrow",
    "t.Parquet.feather, t-Parquet",
    "t.arrow.arrow, t-arrow",
    "t..arrow, t.",
    "\u65e5 2.arrow, 2",
    "a\ud83d\ude00b.arrow, a-b"
  })
  void derivesTheDatasetNameOfAFile(String path, String name) {
    assertThat(DatasetName.ofFile(path)).hasToString(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {".arrow", "\u65e5.arrow", "_.feather"})
  void rejectsAFileNameWithoutALetterOrDigit(String path) {
    assertThatThrownBy(() -> DatasetName.ofFile(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected 1 to 100 characters but found 0 characters at the name of a dataset");
  }
}
