package dev.quiver.fuzz;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A runner of Jazzer in a separate JVM.
final class Jazzer {

  private static final int INPUT_BYTE_SIZE_MAXIMUM = 4096;

  private static final Path DICTIONARY = Path.of("src/test/fuzz/dictionary");

  private Jazzer() {}

  /// Fuzzes a target, starting from its seeds and from `folder/corpus`, where new inputs are added.
  /// The log and the findings are written to `folder`.
  ///
  /// @param corpora folders of additional initial inputs
  /// @return the exit code: 0 if no bug was found
  static int run(FuzzTarget target, Path folder, long seconds, List<Path> corpora)
      throws IOException, InterruptedException {
    Path corpus = Files.createDirectories(folder.resolve("corpus"));
    Path seeds = writeSeeds(target, folder.resolve("seeds"));
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-Xmx1g", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", absoluteClassPath()));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + target.className());
    command.add("--instrumentation_includes=dev.quiver.**");
    // Its sanitizers look for injections, which do not apply here.
    command.add("--disabled_hooks=*");
    command.add("--custom_hook_excludes=**");
    command.add("--reproducer_path=" + folder);
    command.add(corpus.toString());
    corpora.forEach(path -> command.add(path.toAbsolutePath().toString()));
    command.add(seeds.toString());
    command.add("-artifact_prefix=" + folder + "/");
    command.add("-max_total_time=" + seconds);
    command.add("-dict=" + DICTIONARY.toAbsolutePath());
    command.add("-max_len=" + INPUT_BYTE_SIZE_MAXIMUM);
    command.add("-use_value_profile=1");
    // The number of seconds after which an input counts as a hang; the first one waits for class
    // loading.
    command.add("-timeout=60");
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log(folder).toFile())
        .start()
        .waitFor();
  }

  static Path log(Path folder) {
    return folder.resolve("log");
  }

  /// Returns the line of the log that names the bug, or the number of inputs if no bug was found.
  static String summary(Path folder) throws IOException {
    return Files.readAllLines(log(folder)).stream()
        .filter(line -> line.startsWith("Done ") || line.startsWith("== Java Exception"))
        .findFirst()
        .orElse("ended early, see " + log(folder));
  }

  /// Fuzzes one target from its seeds alone until a bug is found or the time is up. Arguments:
  /// target, folder, seconds.
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of(arguments[1]).toAbsolutePath());
    FuzzTarget target = FuzzTarget.of(arguments[0]);
    int code = run(target, folder, Long.parseLong(arguments[2]), List.of());
    System.out.println(summary(folder));
    System.exit(code);
  }

  private static Path writeSeeds(FuzzTarget target, Path folder) throws IOException {
    Files.createDirectories(folder);
    List<byte[]> seeds = target.seeds();
    for (int i = 0; i < seeds.size(); i++) {
      Files.write(folder.resolve("seed-" + i), seeds.get(i));
    }
    return folder;
  }

  private static String absoluteClassPath() {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      entries.add(Path.of(entry).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, entries);
  }
}
