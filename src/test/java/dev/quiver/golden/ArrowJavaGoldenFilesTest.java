package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that Arrow Java reads the golden files that Quiver rewrote, with the values of their JSON.
/// [GoldenFilesTest] tests our own reader.
@Tag("arrow-java")
class ArrowJavaGoldenFilesTest {

  /// The files that Arrow Java cannot read, and why.
  static final Map<String, String> BEYOND_ARROW_JAVA =
      Map.of("generated_duplicate_fieldnames", "children of a struct that share a name are merged");

  static Stream<GoldenCase> modern() {
    return GoldenCase.modern();
  }

  @Test
  void goldenFilesExist() {
    assertThat(modern()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("modern")
  void arrowJavaReadsRewrittenGoldenFiles(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = golden.stream(arena);
      String reason = BEYOND_ARROW_JAVA.get(golden.name());
      if (reason == null) {
        assertReads(golden, stream);
      } else {
        assertThatThrownBy(() -> assertReads(golden, stream))
            .as("Arrow Java now reads this, remove the exception: " + reason);
      }
    }
  }

  private static void assertReads(GoldenCase golden, MemorySegment stream) throws IOException {
    IntegrationJson json = golden.json();
    for (Codec codec : Codec.values()) {
      MemorySegment ourStream = Decoded.rewriteAsStream(stream, codec);
      assertThat(ArrowJava.readStream(ourStream, json.schema()))
          .as("stream, " + codec)
          .isEqualTo(json.batches());
      MemorySegment ourFile = Decoded.rewriteAsFile(stream, codec);
      assertThat(ArrowJava.readFile(ourFile, json.schema()))
          .as("file, " + codec)
          .isEqualTo(json.batches());
    }
  }
}
