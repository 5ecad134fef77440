package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.MemoryBlobStore;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.StoreUnavailableException;
import dev.quiver.store.blob.WatchedServer;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.blob.s3.S3BlobStore;
import dev.quiver.store.catalog.DatasetFilter;
import dev.quiver.store.catalog.DatasetMatches;
import dev.quiver.store.catalog.DatasetOrder;
import dev.quiver.store.catalog.DatasetOrder.Key;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.catalog.DatasetPages;
import dev.quiver.store.catalog.DatasetQuery;
import dev.quiver.store.catalog.PageTurns;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lists of datasets: filters, orders, pages, and what they cost in a folder and in a bucket.
class DatasetListTest {

  private static final int ALL = Integer.MAX_VALUE;

  /// In the order of a store: as if each ended in `_`, upper-case letters before all others.
  private static final List<String> NAMES =
      List.of("Air", "Trips", "a-b", "a.b", "a0", "a", "a_b", "a_", "aB", "air", "b", "trips");

  @TempDir private Path folder;

  /// The keys that were listed and opened.
  private final Queue<String> listed = new ConcurrentLinkedQueue<>();

  private final Queue<String> opened = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> pageSizes = new ConcurrentLinkedQueue<>();

  /// The time of the next commit.
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-20T07:34:20.125Z"));

  private Datasets open(boolean remote) throws IOException {
    return open(remote ? new MemoryBlobStore(folder) : FolderBlobStore.open(folder));
  }

  private Datasets open(BlobStore store) {
    InstantSource clock = now::get;
    return new Datasets(watched(store), DatasetOptions.DEFAULT, StoragePolicy.DEFAULT, clock);
  }

  private BlobStore watched(BlobStore store) {
    return new UnreliableStore(store) {
      @Override
      public List<String> list(String prefix, @Nullable String after, int limit)
          throws IOException {
        List<String> keys = super.list(prefix, after, limit);
        listed.addAll(keys);
        pageSizes.add(limit);
        return keys;
      }

      @Override
      public @Nullable Object identity(String key) throws IOException {
        return store.identity(key);
      }

      @Override
      public Blob open(String key) throws IOException {
        opened.add(key);
        return super.open(key);
      }
    };
  }

  private static void put(Datasets datasets, String name, int rows) throws IOException {
    ByteSource stream = ByteSource.of(MemorySegment.ofArray(SampleStreams.stream(rows)));
    datasets.put(new DatasetName(name), stream, BodyFormat.STREAM, new WriteCondition.None());
  }

  private static List<String> names(Datasets datasets, DatasetQuery query) throws IOException {
    return names(summaries(datasets, query));
  }

  private static List<String> names(List<VersionSummary> summaries) {
    return summaries.stream().map(summary -> summary.name().value()).toList();
  }

  private static List<VersionSummary> summaries(Datasets datasets, DatasetQuery query)
      throws IOException {
    List<VersionSummary> found = new ArrayList<>();
    if (query.order().equals(DatasetOrder.BY_NAME)) {
      list(datasets, query, found::addAll);
    } else {
      DatasetMatches matches =
          datasets.listing().matches(query.filter(), ALL, ALL, PageTurns.UNLIMITED);
      datasets.listing().read(matches.select(query), PageTurns.UNLIMITED, found::addAll);
    }
    return found;
  }

  private static void list(Datasets datasets, DatasetQuery query, DatasetPages pages)
      throws IOException {
    datasets
        .listing()
        .list(query.filter(), query.after(), query.limit(), PageTurns.UNLIMITED, pages);
  }

  private static long count(Datasets datasets, DatasetFilter filter) throws IOException {
    DatasetMatches matches = datasets.listing().matches(filter, 0, ALL, PageTurns.UNLIMITED);
    assertThat(matches.first().size()).isZero();
    return matches.count();
  }

  private static boolean isLongerThan(Datasets datasets, long maximum, DatasetFilter filter)
      throws IOException {
    return datasets.listing().isLongerThan(maximum, filter, PageTurns.UNLIMITED);
  }

  private static DatasetQuery matching(String prefix, String text) {
    DatasetFilter filter = new DatasetFilter(prefix, text, Permissions.ADMIN);
    return new DatasetQuery(filter, DatasetOrder.BY_NAME, null, Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ordersNamesAsTheStoreDoes(boolean remote) throws IOException {
    try (Datasets datasets = open(remote)) {
      for (String name : NAMES.reversed()) {
        put(datasets, name, 1);
      }
      List<String> listedNames = names(datasets, matching("", ""));
      assertThat(listedNames).containsExactlyInAnyOrderElementsOf(NAMES);
      List<DatasetName> sorted = NAMES.stream().map(DatasetName::new).sorted().toList();
      assertThat(sorted).extracting(DatasetName::value).isEqualTo(listedNames);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "false, a, '', 'a-b,a.b,a0,a,a_b,a_,aB,air'",
    "true, a, '', 'a-b,a.b,a0,a,a_b,a_,aB,air'",
    "false, A, '', Air",
    "true, A, '', Air",
    "false, aB, '', aB",
    "true, a_, '', 'a_b,a_'",
    "false, x, '', ''",
    "true, '', IR, 'Air,air'",
    "false, '', rip, 'Trips,trips'",
    "true, t, RIP, trips",
    "false, '', é, ''",
  })
  void listsNamesThatPassAFilter(boolean remote, String prefix, String text, String expected)
      throws IOException {
    try (Datasets datasets = open(remote)) {
      for (String name : NAMES) {
        put(datasets, name, 1);
      }
      listed.clear();
      opened.clear();
      List<String> found = names(datasets, matching(prefix, text));
      assertThat(found)
          .containsExactlyInAnyOrder(expected.isEmpty() ? new String[0] : expected.split(","));
      assertThat(count(datasets, new DatasetFilter(prefix, text, Permissions.ADMIN)))
          .isEqualTo(found.size());
      // Other names are neither listed nor read.
      String start = "manifests/_" + prefix.replaceAll("([A-Z])", "!$1").toLowerCase();
      assertThat(listed).allMatch(key -> key.startsWith(start));
      assertThat(opened).hasSize(2 * found.size());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MODIFIED, false",
    "MODIFIED, true",
    "BYTES, true",
    "ROWS, false",
    "ROWS, true",
    "NAME, false",
    "NAME, true"
  })
  void pagesInEveryOrderHaveEachDatasetOnce(Key key, boolean descending) throws IOException {
    try (Datasets datasets = open(true)) {
      Map<String, Integer> rows =
          Map.of("Air", 5, "a-b", 500, "a", 5, "a_b", 40, "b", 500, "trips", 5, "c", 0);
      for (Map.Entry<String, Integer> dataset : rows.entrySet()) {
        now.updateAndGet(time -> time.plusMillis(dataset.getValue() % 2 == 0 ? 0 : 1));
        put(datasets, dataset.getKey(), dataset.getValue());
      }
      List<VersionSummary> all = summaries(datasets, matching("", ""));
      Function<VersionSummary, Long> value =
          switch (key) {
            case NAME -> summary -> (long) all.indexOf(summary);
            case MODIFIED -> summary -> summary.committedAt().toEpochMilli();
            case BYTES -> summary -> summary.file().byteSize();
            case ROWS -> summary -> summary.file().rows();
          };
      Comparator<VersionSummary> byValue = Comparator.comparing(value);
      List<VersionSummary> expected =
          all.stream().sorted(descending ? byValue.reversed() : byValue).toList();
      DatasetOrder order = new DatasetOrder(key, descending);
      for (int limit = 1; limit <= 8; limit++) {
        List<VersionSummary> paged = new ArrayList<>();
        Position after = null;
        List<VersionSummary> page;
        do {
          page = summaries(datasets, new DatasetQuery(DatasetFilter.ALL, order, after, limit));
          assertThat(page).hasSizeLessThanOrEqualTo(limit);
          paged.addAll(page);
          after = page.isEmpty() ? null : order.position(page.getLast());
        } while (!page.isEmpty());
        assertThat(paged).isEqualTo(expected);
      }
    }
  }

  @Test
  void continuesAfterADatasetThatWasDeleted() throws IOException {
    try (Datasets datasets = open(true)) {
      for (int rows = 1; rows <= 4; rows++) {
        put(datasets, "d" + rows, rows);
      }
      DatasetOrder order = new DatasetOrder(Key.ROWS, true);
      VersionSummary three =
          summaries(datasets, new DatasetQuery(DatasetFilter.ALL, order, null, 2)).getLast();
      assertThat(three.name().value()).isEqualTo("d3");
      datasets.delete(three.name(), new WriteCondition.None());
      Position after = order.position(three);
      assertThat(names(datasets, new DatasetQuery(DatasetFilter.ALL, order, after, 9)))
          .containsExactly("d2", "d1");
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 9, 2, 3, false", "3, 9, 3, 3, true", "9, 2, 2, 2, true", "1, 2, 1, 2, false"})
  void keepsAndCountsNoMoreMatchesThanWanted(
      int kept, long maximum, int first, long count, boolean complete) throws IOException {
    try (Datasets datasets = open(true)) {
      for (String name : List.of("a1", "a2", "a3", "b1")) {
        put(datasets, name, 1);
      }
      DatasetFilter filter = new DatasetFilter("a", "", Permissions.ADMIN);
      DatasetMatches matches =
          datasets.listing().matches(filter, kept, maximum, PageTurns.UNLIMITED);
      assertThat(matches.select(matching("", "")))
          .extracting(match -> match.name().value())
          .isEqualTo(List.of("a1", "a2", "a3").subList(0, first));
      assertThat(matches.count()).isEqualTo(count);
      assertThat(matches.isComplete()).isEqualTo(complete);
    }
  }

  @Test
  void tellsWhetherAListIsLongerWithoutReadingManifests() throws IOException {
    try (Datasets datasets = open(true)) {
      for (String name : List.of("a1", "a2", "a3", "b1")) {
        put(datasets, name, 1);
      }
      opened.clear();
      assertThat(isLongerThan(datasets, 4, DatasetFilter.ALL)).isFalse();
      assertThat(isLongerThan(datasets, 3, new DatasetFilter("a", "", Permissions.ADMIN)))
          .isFalse();
      assertThat(opened).isEmpty();
      assertThat(isLongerThan(datasets, 3, DatasetFilter.ALL)).isTrue();
      // A deleted name does not count.
      datasets.delete(new DatasetName("a2"), new WriteCondition.None());
      assertThat(isLongerThan(datasets, 3, DatasetFilter.ALL)).isFalse();
      assertThat(isLongerThan(datasets, 2, DatasetFilter.ALL)).isTrue();
    }
  }

  @Test
  void namesOfDeletedDatasetsCostNoListingEach() throws IOException {
    try (Datasets datasets = open(true)) {
      for (int i = 100; i < 200; i++) {
        put(datasets, "gone-" + i, 1);
        datasets.delete(new DatasetName("gone-" + i), new WriteCondition.None());
      }
      put(datasets, "kept", 1);
      pageSizes.clear();
      assertThat(DatasetLists.list(datasets, null, 1)).hasSize(1);
      assertThat(pageSizes).containsExactly(1000);
    }
  }

  /// A list holds a page in memory.
  @Test
  void passesALongListOnInPages() throws IOException {
    int count = 2300;
    try (Datasets datasets = open(true)) {
      for (int i = 0; i < count; i++) {
        put(datasets, "d" + (10_000 + i), 1);
      }
      pageSizes.clear();
      opened.clear();
      List<Integer> sizes = new ArrayList<>();
      List<String> found = new ArrayList<>();
      List<Integer> turns = new ArrayList<>();
      datasets
          .listing()
          .list(
              DatasetFilter.ALL,
              null,
              ALL,
              () -> {
                turns.add(opened.size());
                return () -> turns.add(opened.size());
              },
              page -> {
                sizes.add(page.size());
                found.addAll(names(page));
              });
      assertThat(sizes).startsWith(1000, 1000, 300);
      // Each page is read in a turn, and passed on after it.
      assertThat(turns).startsWith(0, 1000, 1000, 2000, 2000, 2300);
      assertThat(pageSizes).hasSizeLessThanOrEqualTo(6).allMatch(size -> size <= 1000);
      assertThat(found)
          .isEqualTo(IntStream.range(0, count).mapToObj(i -> "d" + (10_000 + i)).toList());
      assertThat(count(datasets, DatasetFilter.ALL)).isEqualTo(count);
    }
  }

  private static List<String> byRows(Datasets datasets) throws IOException {
    DatasetOrder order = new DatasetOrder(Key.ROWS, /* descending= */ true);
    return names(datasets, new DatasetQuery(DatasetFilter.ALL, order, null, Long.MAX_VALUE));
  }

  @Test
  void forgetsNamesThatAreGone() throws IOException {
    FolderBlobStore store = FolderBlobStore.open(folder);
    try (Datasets datasets = open(store)) {
      for (String name : List.of("a", "b", "c")) {
        put(datasets, name, 1);
      }
      assertThat(count(datasets, DatasetFilter.ALL)).isEqualTo(3);
      Path manifests = folder.resolve("manifests/_b_");
      Path elsewhere = folder.resolveSibling(folder.getFileName() + "-elsewhere");
      Files.move(manifests, elsewhere);
      opened.clear();
      assertThat(count(datasets, new DatasetFilter("", "b", Permissions.ADMIN))).isZero();
      Files.move(elsewhere, manifests);
      // The search did not look at all names.
      assertThat(count(datasets, DatasetFilter.ALL)).isEqualTo(3);
      assertThat(opened).isEmpty();
      Files.move(manifests, elsewhere);
      assertThat(count(datasets, DatasetFilter.ALL)).isEqualTo(2);
      Files.move(elsewhere, manifests);
      assertThat(count(datasets, DatasetFilter.ALL)).isEqualTo(3);
      assertThat(opened).hasSize(1);
    }
  }

  /// Other processes write to the same folder.
  @Test
  void readsOnlyManifestsThatItDoesNotKnow() throws IOException {
    FolderBlobStore store = FolderBlobStore.open(folder);
    try (Datasets datasets = open(store);
        Datasets other = new Datasets(store, DatasetOptions.DEFAULT)) {
      for (String name : List.of("A", "a", "b", "c", "d")) {
        put(datasets, name, name.charAt(0));
      }
      other.delete(new DatasetName("d"), new WriteCondition.None());
      opened.clear();
      assertThat(count(datasets, new DatasetFilter("a", "", Permissions.ADMIN))).isEqualTo(1);
      assertThat(opened).hasSize(1);
      assertThat(byRows(datasets)).containsExactly("c", "b", "a", "A");
      // The others, and then those that are listed.
      assertThat(opened).hasSize(1 + 4 + 4);
      opened.clear();
      listed.clear();
      assertThat(count(datasets, DatasetFilter.ALL)).isEqualTo(4);
      assertThat(opened).isEmpty();
      assertThat(listed).isEmpty();
      put(other, "A", 200);
      put(other, "A", 150);
      put(other, "d", 10);
      other.delete(new DatasetName("c"), new WriteCondition.None());
      put(other, "new", 5);
      assertThat(count(datasets, DatasetFilter.ALL)).isEqualTo(5);
      assertThat(opened).hasSize(4);
      assertThat(byRows(datasets)).containsExactly("A", "b", "a", "d", "new");
    }
  }

  @Test
  void doesNotTakeAnotherManifestOfTheSameKeyForAKnownOne() throws IOException {
    FolderBlobStore store = FolderBlobStore.open(folder);
    try (Datasets datasets = open(store);
        Datasets elsewhere =
            new Datasets(
                FolderBlobStore.open(folder.resolve("elsewhere")), DatasetOptions.DEFAULT)) {
      for (String name : List.of("a", "b", "c")) {
        put(datasets, name, name.charAt(0));
      }
      assertThat(byRows(datasets)).containsExactly("c", "b", "a");
      put(elsewhere, "a", 200);
      String key = StoreKeys.manifest(new DatasetName("a"), 1);
      Files.delete(folder.resolve(key));
      Files.move(folder.resolve("elsewhere").resolve(key), folder.resolve(key));
      Files.delete(folder.resolve(StoreKeys.manifest(new DatasetName("b"), 1)));
      assertThat(count(datasets, DatasetFilter.ALL)).isEqualTo(2);
      assertThat(byRows(datasets)).containsExactly("a", "c");
    }
  }

  /// A list that lacks some datasets would make a mirror delete them.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failsIfTheStoreIsUnavailable(boolean remote) throws IOException {
    BlobStore store = remote ? new MemoryBlobStore(folder) : FolderBlobStore.open(folder);
    BlobStore failing =
        new UnreliableStore(store) {
          @Override
          public Blob open(String key) throws IOException {
            if (key.startsWith("manifests/_b_/")) {
              throw new StoreUnavailableException("later", new IOException());
            }
            return super.open(key);
          }
        };
    try (Datasets datasets = open(store);
        Datasets unavailable = open(failing)) {
      for (String name : List.of("a", "b", "c")) {
        put(datasets, name, 1);
      }
      assertThatThrownBy(() -> DatasetLists.list(unavailable, null, 9))
          .isInstanceOf(StoreUnavailableException.class);
    }
  }

  /// A fresh process asks a bucket for one page of keys, and once for each manifest of the result.
  @Tag("long")
  @Test
  void asksABucketOnlyForWhatPassesTheFilter() throws IOException {
    String bucket = S3ProxyServer.newBucket();
    try (S3BlobStore store =
            S3BlobStore.open(S3ProxyServer.options(bucket, folder.resolve("one"), 1 << 20));
        Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      for (int i = 10; i < 40; i++) {
        put(datasets, (i % 3 == 0 ? "a-" : "b-") + i, 1);
      }
    }
    S3Options direct = S3ProxyServer.options(bucket, folder.resolve("other"), 1 << 20);
    try (WatchedServer server = new WatchedServer(S3ProxyServer.endpoint());
        S3BlobStore store =
            S3BlobStore.open(
                new S3Options(
                    bucket,
                    server.endpoint(),
                    "",
                    "",
                    true,
                    direct.checksums(),
                    folder.resolve("other"),
                    1 << 20));
        Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      server.take("GET");
      assertThat(names(datasets, matching("a-", ""))).hasSize(10);
      assertThat(server.take("GET")).isEqualTo(1 + 10);
      assertThat(names(datasets, matching("", "B-3"))).hasSize(6);
      assertThat(server.take("GET")).isEqualTo(1 + 6);
      // The manifests are cached now, and the listing tells that they have not changed.
      assertThat(names(datasets, matching("b-3", ""))).hasSize(6);
      assertThat(server.take("GET")).isEqualTo(1);
      assertThat(isLongerThan(datasets, 30, DatasetFilter.ALL)).isFalse();
      assertThat(server.take("GET")).isEqualTo(1);
      assertThat(server.count("HEAD")).isZero();
    }
  }
}
