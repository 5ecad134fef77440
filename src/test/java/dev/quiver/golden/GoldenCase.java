package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.TestData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// One case of Arrow's golden files: the same data as JSON, as a stream, and as a file.
record GoldenCase(Path folder, String name) {

  /// The directories stored verbatim: little-endian, metadata V5, continuation markers.
  static final List<String> MODERN =
      List.of("1.0.0-littleendian", "2.0.0-compression", "4.0.0-shareddict", "cpp-21.0.0");

  /// Returns the available directories.
  static List<String> directories() {
    List<String> names = fileNames(integration());
    assertThat(names).as("golden directories").containsAnyElementsOf(MODERN);
    return names;
  }

  static Stream<GoldenCase> all() {
    return directories().stream().flatMap(GoldenCase::in);
  }

  static Stream<GoldenCase> modern() {
    return directories().stream().filter(MODERN::contains).flatMap(GoldenCase::in);
  }

  static Stream<GoldenCase> others() {
    return directories().stream().filter(name -> !MODERN.contains(name)).flatMap(GoldenCase::in);
  }

  IntegrationJson json() {
    try {
      return IntegrationJson.read(folder.resolve(name + ".json.gz"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the content of the JSON as the stream or the file represents it.
  ///
  /// Compare it with decoded data after [Decoded#withSortedMetadata].
  Decoded expected(boolean asFile) {
    Decoded expected = Decoded.of(json()).withSortedMetadata();
    return !asFile && name.equals("generated_map_non_canonical")
        ? expected.withStandardMapNames()
        : expected;
  }

  MemorySegment stream(Arena arena) {
    return map(folder.resolve(name + ".stream"), arena);
  }

  MemorySegment file(Arena arena) {
    return map(folder.resolve(name + ".arrow_file"), arena);
  }

  @Override
  public String toString() {
    return folder.getFileName() + "/" + name;
  }

  private static Stream<GoldenCase> in(String directory) {
    Path folder = integration().resolve(directory);
    List<String> names =
        fileNames(folder).stream()
            .filter(name -> name.endsWith(".json.gz"))
            .map(name -> name.substring(0, name.length() - ".json.gz".length()))
            .toList();
    assertThat(names).as("cases in " + folder).isNotEmpty();
    return names.stream().map(name -> new GoldenCase(folder, name));
  }

  private static Path integration() {
    return TestData.arrowTestData().resolve("arrow-ipc-stream/integration");
  }

  private static List<String> fileNames(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MemorySegment map(Path file, Arena arena) {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
