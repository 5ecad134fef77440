package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that Arrow's golden files, written by other implementations, have the values of their
/// JSON, also after Quiver rewrote them. [ArrowJavaGoldenFilesTest] reads our output with Arrow
/// Java.
class GoldenFilesTest {

  private final Arena arena = Arena.ofConfined();

  static Stream<GoldenCase> all() {
    return GoldenCase.all();
  }

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void goldenFilesExist() {
    assertThat(all()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void streamMatchesItsJson(GoldenCase golden) throws IOException {
    Decoded.ofStream(golden.stream(arena))
        .withSortedMetadata()
        .assertHolds(golden.expected(false), "the stream");
  }

  @ParameterizedTest
  @MethodSource("all")
  void fileMatchesItsJson(GoldenCase golden) throws IOException {
    Decoded.ofFile(golden.file(arena))
        .withSortedMetadata()
        .assertHolds(golden.expected(true), "the file");
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyBatchIsValid(GoldenCase golden) throws IOException {
    Decoded.forEachBatchOfStream(golden.stream(arena), Validation::assertValid);
    Decoded.forEachBatchOfFile(golden.file(arena), Validation::assertValid);
  }

  @ParameterizedTest
  @MethodSource("all")
  void rewrittenDataMatchesTheJson(GoldenCase golden) throws IOException {
    MemorySegment stream = golden.stream(arena);
    Decoded expected = Decoded.ofStream(stream);
    for (Codec codec : Codec.values()) {
      Decoded.ofStream(Decoded.rewriteAsStream(stream, codec))
          .assertHolds(expected, "our stream, " + codec);
      Decoded.ofFile(Decoded.rewriteAsFile(stream, codec))
          .assertHolds(expected, "our file, " + codec);
    }
  }
}
