package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.catalog.DatasetOrder.Key;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Columns of latest versions, against lists of their summaries.
class LatestVersionsTest {

  private static final Instant NOW = Instant.parse("2026-11-26T09:00:00.000Z");

  private static VersionSummary summary(
      String name, long version, VersionKind kind, long rows, @Nullable Instant end) {
    return new VersionSummary(
        new DatasetName(name),
        version,
        "commit",
        kind,
        1,
        NOW.minusMillis(rows % 7),
        new StoredFile(rows, 1, rows % 5, Codec.NONE, false, Level.DOMAIN, 0, 0, 0),
        null,
        end);
  }

  private static LatestVersions of(List<VersionSummary> summaries) {
    LatestVersions.Builder builder = new LatestVersions.Builder();
    for (VersionSummary summary : summaries) {
      builder.add(summary.name().segment() + "/", summary, (int) summary.version());
    }
    return builder.build();
  }

  /// Returns versions of some names in their order.
  private static List<VersionSummary> random(Random random, int count) {
    TreeMap<DatasetName, VersionSummary> summaries = new TreeMap<>();
    while (summaries.size() < count) {
      StringBuilder name = new StringBuilder("a");
      for (int length = random.nextInt(8); length > 0; length--) {
        name.append("abAZ09._-".charAt(random.nextInt(9)));
      }
      VersionSummary summary =
          summary(
              name.toString(), 1 + random.nextInt(9), VersionKind.UPLOAD, random.nextInt(40), null);
      summaries.put(summary.name(), summary);
    }
    return List.copyOf(summaries.values());
  }

  @Test
  void selectsInEveryOrderAfterEveryPlace() {
    Random random = new Random(1);
    for (int round = 0; round < 500; round++) {
      List<VersionSummary> summaries = random(random, random.nextInt(60));
      DatasetOrder order = new DatasetOrder(Key.values()[random.nextInt(4)], random.nextBoolean());
      Comparator<Position> comparator = order.comparator();
      Position after = random.nextInt(3) == 0 ? null : order.position(random(random, 1).getFirst());
      if (random.nextBoolean() && !summaries.isEmpty()) {
        after = order.position(summaries.get(random.nextInt(summaries.size())));
      }
      Position place = after;
      long limit = random.nextInt(4) == 0 ? Long.MAX_VALUE : 1 + random.nextInt(20);
      LatestVersions versions = of(summaries);
      int[] selected = versions.select(new DatasetQuery(DatasetFilter.ALL, order, after, limit));
      assertThat(Arrays.stream(selected).mapToObj(index -> versions.position(index, order)))
          .isEqualTo(
              summaries.stream()
                  .map(order::position)
                  .filter(position -> place == null || comparator.compare(position, place) > 0)
                  .sorted(comparator)
                  .limit(limit)
                  .toList());
    }
  }

  @Test
  void findsNamesAndTheirVersions() {
    List<VersionSummary> summaries = random(new Random(2), 1000);
    LatestVersions versions = of(summaries);
    assertThat(versions.size()).isEqualTo(1000);
    for (int i = 0; i < summaries.size(); i++) {
      VersionSummary summary = summaries.get(i);
      assertThat(versions.indexOf(summary.name().segment() + "/")).isEqualTo(i);
      assertThat(versions.name(i)).isEqualTo(summary.name());
      assertThat(versions.version(i)).isEqualTo(summary.version());
      assertThat(versions.identity(i)).isEqualTo((int) summary.version());
    }
    assertThat(versions.indexOf("_none_/")).isEqualTo(-1);
    assertThat(versions.indexOf("_zzz_/")).isEqualTo(-1);
    assertThat(LatestVersions.NONE.indexOf("_a_/")).isEqualTo(-1);
  }

  @Test
  void deletedAndExpiredOnesAreNotPresent() {
    LatestVersions versions =
        of(
            List.of(
                summary("a", 1, VersionKind.UPLOAD, 1, null),
                summary("b", 2, VersionKind.DELETE, 0, null),
                summary("c", 3, VersionKind.UPLOAD, 1, NOW),
                summary("d", 4, VersionKind.UPLOAD, 1, NOW.plusMillis(1)),
                VersionSummary.damaged(new DatasetName("e"), 5)));
    assertThat(IntStream.range(0, 5).mapToObj(index -> versions.isPresent(index, NOW)))
        .containsExactly(true, false, false, true, true);
  }

  @Test
  void mergesOthersAsFarAsTheyFit() {
    Random random = new Random(3);
    List<VersionSummary> some = random(random, 300);
    List<VersionSummary> others = new ArrayList<>(random(random, 300));
    others.addAll(some.subList(0, 20).stream().map(LatestVersionsTest::later).toList());
    TreeMap<DatasetName, Long> expected = new TreeMap<>();
    some.forEach(summary -> expected.put(summary.name(), summary.version()));
    TreeMap<DatasetName, VersionSummary> distinct = new TreeMap<>();
    others.forEach(summary -> distinct.put(summary.name(), summary));
    distinct.forEach((name, summary) -> expected.put(name, summary.version()));
    LatestVersions added = of(List.copyOf(distinct.values()));
    LatestVersions merged = of(some).with(added, Long.MAX_VALUE);
    assertThat(IntStream.range(0, merged.size()).mapToObj(merged::name).toList())
        .isEqualTo(List.copyOf(expected.keySet()));
    assertThat(IntStream.range(0, merged.size()).mapToObj(merged::version).toList())
        .isEqualTo(List.copyOf(expected.values()));
    LatestVersions first = of(some).with(added, merged.byteSize() / 2);
    assertThat(first.byteSize()).isBetween(merged.byteSize() / 2, merged.byteSize() / 2 + 200);
    assertThat(first.name(first.size() - 1)).isEqualTo(merged.name(first.size() - 1));
  }

  private static VersionSummary later(VersionSummary summary) {
    return summary(summary.name().value(), summary.version() + 100, VersionKind.UPLOAD, 1, null);
  }
}
