package dev.quiver.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What coverage guides the fuzzer through.
enum FuzzTarget {
  METADATA(MetadataTarget.class, MetadataTarget::fuzzerTestOneInput, Seeds::metadata),
  STREAM(StreamTarget.class, StreamTarget::fuzzerTestOneInput, Seeds::streams),
  FILE(FileTarget.class, FileTarget::fuzzerTestOneInput, Seeds::files),
  INSPECT(InspectTarget.class, InspectTarget::fuzzerTestOneInput, Seeds::inspect),
  LZ4(Lz4Target.class, Lz4Target::fuzzerTestOneInput, Seeds::lz4),
  ZSTANDARD(ZstandardTarget.class, ZstandardTarget::fuzzerTestOneInput, Seeds::zstandard);

  /// Makes what a target begins with.
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

  /// The class with `fuzzerTestOneInput`.
  String className() {
    return type.getName();
  }

  /// Fails when the input shows a bug.
  void run(byte[] input) {
    target.accept(input);
  }

  /// Valid inputs, made anew each time.
  List<byte[]> seeds() throws IOException {
    return seeds.make();
  }

  /// Where the inputs are that the fuzzer came upon and that are kept: those that reach something,
  /// and those that once showed a bug.
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
