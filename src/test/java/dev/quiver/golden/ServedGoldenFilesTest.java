package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamCodecs;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that every uploaded golden stream and file has the values of its JSON, in every format and
/// codec. [ArrowJavaServedGoldenFilesTest] and the client tests use other readers.
class ServedGoldenFilesTest extends ServedGoldenFiles {

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void servedGoldenFileMatchesItsJson(GoldenCase golden) throws Exception {
    assertContent(wholeRepresentations(golden), golden);
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void eachServedBatchMatchesTheJson(GoldenCase golden) throws Exception {
    assertContent(batchRepresentations(golden), golden);
  }

  private static void assertContent(List<Representation> representations, GoldenCase golden)
      throws IOException {
    for (Representation representation : representations) {
      representation
          .decoded()
          .withSortedMetadata()
          .assertHolds(representation.expected(), representation.description());
      Codec codec =
          codec(representation.codec().isEmpty() ? golden.name() : representation.codec());
      List<Codec> codecs =
          representation.isFile()
              ? StreamCodecs.ofFile(representation.body())
              : StreamCodecs.of(representation.body());
      assertThat(codecs).as(representation.description()).isSubsetOf(codec);
      assertThat(codecs)
          .as(representation.description())
          .hasSizeGreaterThanOrEqualTo(batches(representation));
    }
  }

  private static int batches(Representation representation) {
    return representation.expected().batches().size();
  }

  /// Returns the codec at the end of the name. Compressed golden files are named after their codec.
  private static Codec codec(String name) {
    return name.endsWith("lz4") ? Codec.LZ4 : name.endsWith("zstd") ? Codec.ZSTD : Codec.NONE;
  }
}
