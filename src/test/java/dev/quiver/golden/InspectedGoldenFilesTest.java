package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.TestData;
import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.server.inspect.Inspected;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that inspection reports on golden files have the counts of their JSON and no errors, and
/// that every input of the fuzzing corpora yields a report or a proper rejection.
class InspectedGoldenFilesTest {

  private final Arena arena = Arena.ofConfined();
  @TempDir private Path folder;

  static Stream<GoldenCase> cases() {
    return Stream.concat(GoldenCase.modern(), GoldenCase.others());
  }

  static Stream<Path> corpora() {
    return Stream.of("arrow-ipc-stream", "arrow-ipc-file", "arrow-ipc-tensor-stream")
        .flatMap(InspectedGoldenFilesTest::inputs);
  }

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void inputsExist() {
    assertThat(cases()).isNotEmpty();
    assertThat(corpora()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void reportOnAStreamMatchesItsJson(GoldenCase golden) throws IOException {
    assertHolds(Inspected.of(golden.stream(arena), folder), golden, "stream");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void reportOnAFileMatchesItsJson(GoldenCase golden) throws IOException {
    Inspected inspected = Inspected.of(golden.file(arena), folder);
    assertHolds(inspected, golden, "file");
    inspected
        .messages()
        .forEach(message ->
            assertThat(message.has("block"))
                .as(message.toString())
                .isEqualTo(!message.get("type").asString().equals("schema")));
  }

  private static void assertHolds(Inspected inspected, GoldenCase golden, String format) {
    Decoded expected = Decoded.of(golden.json());
    assertThat(inspected.summary().get("format").asString()).isEqualTo(format);
    assertThat(inspected.summary().get("errors").intValue())
        .as(inspected.findings().toString())
        .isZero();
    assertThat(inspected.summary().get("batches").intValue()).isEqualTo(expected.batches().size());
    assertThat(inspected.types().getFirst()).isEqualTo("schema");
    assertThat(inspected.types().stream().filter("record batch"::equals))
        .hasSize(expected.batches().size());
    assertThat(inspected.messages().get(0).get("schema").get("fields").size())
        .isEqualTo(expected.schema().fields().size());
  }

  @ParameterizedTest
  @MethodSource("corpora")
  void reportsOnEveryInputOfTheCorpora(Path input) throws IOException {
    MemorySegment bytes = map(input);
    try {
      Inspected inspected = Inspected.of(bytes, folder);
      assertThat(inspected.findings())
          .allMatch(finding -> finding.matches("(?s).*Expected .+ but found .+ at .+"));
      assertThat(inspected.summary().get("bytes").longValue()).isEqualTo(bytes.byteSize());
    } catch (UnsupportedFormatException e) {
      assertThat(e).hasMessageMatching("(?s)Expected .+ but found .+ at .+");
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

  private MemorySegment map(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
    }
  }
}
