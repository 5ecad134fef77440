package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.codec.Codec;
import dev.quiver.ipc.StreamCodecs;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every golden stream and file that was uploaded holds what its JSON says, as whatever and in
/// whichever codec it is fetched. What others make of it is in [ArrowJavaServedGoldenFilesTest] and
/// in the tests of clients.
class ServedGoldenFilesTest extends ServedGoldenFiles {

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void whatIsServedHoldsWhatTheJsonSays(GoldenCase golden) throws Exception {
    assertHold(wholeAnswers(golden), golden);
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void eachBatchThatIsServedHoldsWhatTheJsonSays(GoldenCase golden) throws Exception {
    assertHold(batchAnswers(golden), golden);
  }

  private static void assertHold(List<Answer> answers, GoldenCase golden) throws IOException {
    for (Answer answer : answers) {
      answer.decoded().withSortedMetadata().assertHolds(answer.expected(), answer.what());
      Codec codec = codec(answer.codec().isEmpty() ? golden.name() : answer.codec());
      List<Codec> codecs =
          answer.isFile() ? StreamCodecs.ofFile(answer.body()) : StreamCodecs.of(answer.body());
      assertThat(codecs).as(answer.what()).isSubsetOf(codec);
      assertThat(codecs).as(answer.what()).hasSizeGreaterThanOrEqualTo(batches(answer));
    }
  }

  private static int batches(Answer answer) {
    return answer.expected().batches().size();
  }

  /// Golden files that are compressed are named after the codec.
  private static Codec codec(String name) {
    return name.endsWith("lz4") ? Codec.LZ4 : name.endsWith("zstd") ? Codec.ZSTD : Codec.NONE;
  }
}
