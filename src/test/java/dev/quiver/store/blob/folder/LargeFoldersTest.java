package dev.quiver.store.blob.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that names are cached while nothing can have changed, and that their pages equal those of
/// the folder.
@Tag("random")
class LargeFoldersTest {

  @TempDir private Path root;
  private Path folder;
  private long nanos;
  private final LargeFolders large = new LargeFolders(() -> nanos);

  @BeforeEach
  void create() throws IOException {
    folder = Files.createDirectory(root.resolve("d"));
  }

  @Test
  void readsNamesWellAfterTheLastSeenChange() throws IOException {
    List<String> expected = fill(1001);
    large.note(folder);
    assertThat(names()).isNull();
    nanos += LargeFolders.TICK.toNanos() - 1;
    assertThat(names()).isNull();
    nanos++;
    assertThat(names()).isEqualTo(expected);
    assertThat(names()).isEqualTo(expected);
  }

  @Test
  void detectsAChangedFolderImmediately() throws IOException {
    fill(1002);
    large.note(folder);
    nanos += LargeFolders.TICK.toNanos();
    assertThat(names()).hasSize(1002);
    awaitAnotherTime();
    Files.delete(folder.resolve("n500"));
    assertThat(names()).isNull();
    nanos += LargeFolders.TICK.toNanos() - 1;
    assertThat(names()).isNull();
    nanos++;
    assertThat(names()).hasSize(1001).doesNotContain("n500");
  }

  @Test
  void deletedFolderHasNoNames() throws IOException {
    fill(1001);
    large.note(folder);
    nanos += LargeFolders.TICK.toNanos();
    assertThat(names()).isNotNull();
    for (String name : fill(1001)) {
      Files.delete(folder.resolve(name));
    }
    Files.delete(folder);
    assertThat(names()).isNull();
    nanos += LargeFolders.TICK.toNanos();
    assertThat(names()).isNull();
  }

  @Test
  void doesNotCacheFewNames() throws IOException {
    fill(1000);
    large.note(folder);
    nanos += LargeFolders.TICK.toNanos();
    assertThat(names()).isNull();
  }

  @Test
  void examinesOnlyLargeFolders() throws IOException {
    fill(1000);
    keys("", null, 10);
    nanos += LargeFolders.TICK.toNanos();
    fill(1001);
    assertThat(names()).isNull();
    keys("", null, 10);
    nanos += LargeFolders.TICK.toNanos();
    assertThat(names()).hasSize(1001);
  }

  @Test
  void pagesOfCachedNamesEqualTheFolder() throws IOException {
    Random random = new Random(7);
    TreeSet<String> all = new TreeSet<>();
    String characters = "ab!-._0";
    while (all.size() < 3000) {
      String name = name(random, characters);
      if (random.nextBoolean()) {
        if (!Files.exists(folder.resolve(name))) {
          Files.createFile(folder.resolve(name));
          all.add("d/" + name);
        }
      } else if (!Files.isRegularFile(folder.resolve(name))) {
        Files.createDirectories(folder.resolve(name));
        String inner = name(random, characters);
        if (!Files.exists(folder.resolve(name).resolve(inner))) {
          Files.createFile(folder.resolve(name).resolve(inner));
          all.add("d/" + name + "/" + inner);
        }
      }
    }
    List<String> sorted = List.copyOf(all);
    assertThat(keys("", null, 5000)).isEqualTo(sorted);
    nanos += LargeFolders.TICK.toNanos();
    for (int round = 0; round < Trials.of(2000); round++) {
      String prefix = part(random, sorted);
      String after = random.nextInt(5) == 0 ? null : part(random, sorted);
      int limit = 1 + random.nextInt(random.nextInt(4) == 0 ? 3000 : 20);
      List<String> expected =
          sorted.stream()
              .filter(key -> key.startsWith(prefix) && (after == null || key.compareTo(after) > 0))
              .limit(limit)
              .toList();
      assertThat(keys(prefix, after, limit))
          .as("%d keys from %s after %s", limit, prefix, after)
          .isEqualTo(expected);
    }
    assertThat(names()).isNotNull();
  }

  @Test
  void pagesOfFoldersFollowTheirKeys() throws IOException {
    Random random = new Random(8);
    TreeSet<String> all = new TreeSet<>();
    while (all.size() < 1500) {
      String name = name(random, "ab!-._0");
      Files.createDirectories(folder.resolve(name));
      all.add("d/" + name + "/");
    }
    List<String> sorted = List.copyOf(all);
    for (boolean isKnown : new boolean[] {false, true}) {
      assertThat(folders("d/", null, 5000)).isEqualTo(sorted);
      nanos += isKnown ? LargeFolders.TICK.toNanos() : 0;
      for (int round = 0; round < (isKnown ? 300 : 20); round++) {
        String part = part(random, sorted);
        String prefix = "d/" + part.replaceAll("^d?/?|/.*", "");
        String after = random.nextInt(5) == 0 ? null : part(random, sorted);
        int limit = 1 + random.nextInt(random.nextInt(4) == 0 ? 3000 : 20);
        List<String> expected =
            sorted.stream()
                .filter(
                    key -> key.startsWith(prefix) && (after == null || key.compareTo(after) > 0))
                .limit(limit)
                .toList();
        assertThat(folders(prefix, after, limit))
            .as("%d folders from %s after %s", limit, prefix, after)
            .isEqualTo(expected);
      }
    }
    assertThat(names()).isNotNull();
  }

  private List<String> folders(String prefix, @Nullable String after, int limit)
      throws IOException {
    return new FolderListing(root, large, prefix, after, limit).folders();
  }

  private static String name(Random random, String characters) {
    StringBuilder name = new StringBuilder("a");
    for (int length = random.nextInt(6); length > 0; length--) {
      name.append(characters.charAt(random.nextInt(characters.length())));
    }
    return name.append('b').toString();
  }

  /// Returns a key, the start of one, or similar text.
  private static String part(Random random, List<String> keys) {
    String key = keys.get(random.nextInt(keys.size()));
    return switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 -> "d/";
      case 2 -> key.substring(0, random.nextInt(key.length() + 1));
      default ->
          key.substring(0, 1 + random.nextInt(key.length())) + (random.nextBoolean() ? "" : "0");
    };
  }

  private List<String> keys(String prefix, @Nullable String after, int limit) throws IOException {
    return new FolderListing(root, large, prefix, after, limit).keys();
  }

  private @Nullable List<String> names() throws IOException {
    FolderNames names = large.names(folder);
    if (names == null) {
      return null;
    }
    List<String> all = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      all.add(names.get(i));
    }
    return all;
  }

  private List<String> fill(int count) throws IOException {
    List<String> names = IntStream.range(0, count).mapToObj("n%03d"::formatted).sorted().toList();
    for (String name : names) {
      if (!Files.exists(folder.resolve(name))) {
        Files.createFile(folder.resolve(name));
      }
    }
    return names;
  }

  /// Waits for the next tick of the file system's clock.
  private void awaitAnotherTime() throws IOException {
    Object now = Files.getAttribute(folder, "unix:ctime");
    Path probe = root.resolve("probe");
    Files.createFile(probe);
    while (now.equals(Files.getAttribute(probe, "unix:ctime"))) {
      Files.delete(probe);
      Files.createFile(probe);
      Thread.onSpinWait();
    }
  }
}
