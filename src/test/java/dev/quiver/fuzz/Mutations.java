package dev.quiver.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Numbered damaged golden files, identical in every run and for every client.
public final class Mutations {

  private final Mutator mutator;

  private Mutations(Mutator mutator) {
    this.mutator = mutator;
  }

  /// @param arrowTestData the folder that contains `arrow-ipc-stream`
  public static Mutations of(Path arrowTestData) throws IOException {
    Path integration = arrowTestData.resolve("arrow-ipc-stream/integration");
    try (Stream<Path> files = Files.walk(integration)) {
      List<Mutator.Original> originals =
          files
              .filter(file -> isArrow(file.toString()))
              .sorted()
              .map(file -> Mutator.Original.of(integration.relativize(file).toString(), read(file)))
              .toList();
      return new Mutations(new Mutator(originals));
    }
  }

  /// Returns mutation `number`: the body of an upload.
  public byte[] body(int number) {
    return mutator.mutate(number);
  }

  /// Returns the declared format of the body: `stream`, `file`, or `unknown` if undeclared.
  public String format(int number) {
    if (number % 3 == 0) {
      return "unknown";
    }
    return mutator.original(number).name().endsWith(".stream") ? "stream" : "file";
  }

  /// Returns the golden file from which mutation `number` starts.
  public String origin(int number) {
    return mutator.original(number).name();
  }

  /// Writes mutations for a client, each to a file `{number}.{format}`. Arguments:
  /// `ARROW_TEST_DATA`, the number of mutations, the folder.
  public static void main(String[] arguments) throws IOException {
    Mutations mutations = of(Path.of(arguments[0]));
    Path folder = Files.createDirectories(Path.of(arguments[2]));
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      Files.write(folder.resolve(i + "." + mutations.format(i)), mutations.body(i));
    }
  }

  private static boolean isArrow(String name) {
    return name.endsWith(".stream") || name.endsWith(".arrow_file");
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
