package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests that the fuzzer's seeds and previously found inputs reveal no bug. The profile `fuzz`
/// searches for more.
class FuzzReplayTest {

  @ParameterizedTest
  @EnumSource(FuzzTarget.class)
  void seedsRevealNoBug(FuzzTarget target) throws IOException {
    List<byte[]> seeds = target.seeds();
    assertThat(seeds).hasSizeGreaterThan(10);
    seeds.forEach(target::run);
  }

  @ParameterizedTest
  @EnumSource(FuzzTarget.class)
  void corpusRevealsNoBug(FuzzTarget target) throws IOException {
    List<Path> files = target.corpusFiles();
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      try {
        target.run(Files.readAllBytes(file));
      } catch (RuntimeException | Error e) {
        throw new AssertionError("corpus " + file, e);
      }
    }
  }
}
