package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A coverage-guided search for bugs, one target after another. Inputs are added to
/// `target/fuzz/{target}/corpus`, where the next run continues.
///
/// `fuzz.seconds` is the time per target; `fuzz.targets` selects targets, all by default.
@Tag("fuzz")
class FuzzTest {

  private static final Path WORK = Path.of("target/fuzz").toAbsolutePath();

  static Stream<FuzzTarget> targets() {
    String chosen = System.getProperty("fuzz.targets", "");
    return chosen.isEmpty()
        ? Stream.of(FuzzTarget.values())
        : Stream.of(chosen.split(",")).map(FuzzTarget::of);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void findsNoBug(FuzzTarget target) throws Exception {
    Path folder = Files.createDirectories(WORK.resolve(target.toString()));
    int code =
        Jazzer.run(target, folder, Long.getLong("fuzz.seconds", 60), List.of(target.corpus()));
    String summary = Jazzer.summary(folder);
    System.out.println(target + ": " + summary);
    assertThat(code).as(summary).isZero();
  }
}
