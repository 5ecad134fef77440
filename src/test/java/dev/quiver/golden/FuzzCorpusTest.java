package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.TestData;
import dev.quiver.arrow.memory.InputException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that inputs that once crashed Arrow C++ are read, or rejected with a proper message, and
/// that valid data has readable values. Nothing else is thrown, and declared lengths never exhaust
/// memory.
class FuzzCorpusTest {

  static Stream<Path> streams() {
    return inputs("arrow-ipc-stream");
  }

  static Stream<Path> files() {
    return inputs("arrow-ipc-file");
  }

  @Test
  void corporaExist() {
    assertThat(streams()).isNotEmpty();
    assertThat(files()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("streams")
  void streamIsReadOrRejected(Path input) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      try {
        Decoded.forEachBatchOfStream(map(input, arena), Validation::readIfValid);
      } catch (InputException e) {
        assertThat(e).hasMessageMatching("Expected .+ but found .+ at .+");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void fileIsReadOrRejected(Path input) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      try {
        Decoded.forEachBatchOfFile(map(input, arena), Validation::readIfValid);
      } catch (InputException e) {
        assertThat(e).hasMessageMatching("Expected .+ but found .+ at .+");
      }
    }
  }

  private static Stream<Path> inputs(String corpus) {
    try (Stream<Path> files = Files.list(TestData.arrowTestData().resolve(corpus))) {
      List<Path> inputs = files.filter(Files::isRegularFile).sorted().toList();
      return inputs.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MemorySegment map(Path file, Arena arena) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
    }
  }
}
