package dev.quiver.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The entry points for coverage-guided fuzzing.
enum FuzzTarget {
  METADATA(MetadataTarget.class, MetadataTarget::fuzzerTestOneInput, Seeds::metadata),
  STREAM(StreamTarget.class, StreamTarget::fuzzerTestOneInput, Seeds::streams),
  FILE(FileTarget.class, FileTarget::fuzzerTestOneInput, Seeds::files),
  INSPECT(InspectTarget.class, InspectTarget::fuzzerTestOneInput, Seeds::inspect),
  LZ4(Lz4Target.class, Lz4Target::fuzzerTestOneInput, Seeds::lz4),
  ZSTANDARD(ZstandardTarget.class, ZstandardTarget::fuzzerTestOneInput, Seeds::zstandard);

  /// A source of the initial inputs of a target.
  @FunctionalInterface
  interface SeedMaker {
    List<byte[]> make() throws IOException;
  }

  private static final Path CORPORA = Path.of("src/test/resources/fuzz");

  private final Class<?> type;
  private final Consumer<byte[]> target;
  private final SeedMaker seeds;

  FuzzTarget(Class<?> type, Consumer<byte[]> target, SeedMaker seeds) {
    this.type = type;
    this.target = target;
    this.seeds = seeds;
  }

  static FuzzTarget of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// Returns the class with `fuzzerTestOneInput`.
  String className() {
    return type.getName();
  }

  /// Fails if the input reveals a bug.
  void run(byte[] input) {
    target.accept(input);
  }

  /// Returns newly generated valid inputs.
  List<byte[]> seeds() throws IOException {
    return seeds.make();
  }

  /// Returns the folder of retained inputs: those that reach additional code, and those that once
  /// revealed a bug.
  Path corpus() {
    return CORPORA.resolve(toString());
  }

  List<Path> corpusFiles() {
    try (Stream<Path> files = Files.list(corpus())) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
