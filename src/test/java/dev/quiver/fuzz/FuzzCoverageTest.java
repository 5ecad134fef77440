package dev.quiver.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Replays all inputs that the fuzzer found, to measure the branches that it reaches.
@Tag("fuzz-coverage")
class FuzzCoverageTest {

  @ParameterizedTest
  @EnumSource(FuzzTarget.class)
  void replaysEveryInput(FuzzTarget target) throws IOException {
    target.seeds().forEach(target::run);
    for (Path folder : List.of(target.corpus(), Path.of("target/fuzz/" + target + "/corpus"))) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.sorted().toList()) {
            target.run(Files.readAllBytes(file));
          }
        }
      }
    }
  }
}
