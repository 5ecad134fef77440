package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.server.RunningService;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/// A test of golden cases as the service returns them: uploaded as a stream and as a file, and
/// fetched as both, in the stored codec and in every other.
abstract class ServedGoldenFiles extends RunningService {

  private static final List<String> CODECS = List.of("", "none", "lz4", "zstd");

  /// @param description the description for failures
  /// @param codec the requested codec; empty for the stored one
  /// @param body the body of the response
  /// @param expected the expected content
  record Representation(
      String description, String codec, boolean isFile, MemorySegment body, Decoded expected) {

    Decoded decoded() throws IOException {
      return isFile ? Decoded.ofFile(body) : Decoded.ofStream(body);
    }
  }

  /// Returns all representations of the whole case.
  List<Representation> wholeRepresentations(GoldenCase golden) throws Exception {
    List<Representation> representations = new ArrayList<>();
    for (boolean asFile : new boolean[] {false, true}) {
      Decoded expected = golden.expected(asFile);
      upload(golden, asFile);
      for (String codec : CODECS) {
        for (String suffix : List.of(".arrow", ".arrows")) {
          String description =
              "%s as a %s, %s".formatted(golden, asFile ? "file" : "stream", suffix);
          representations.add(representation(description, suffix, codec, expected));
        }
      }
    }
    return representations;
  }

  /// Returns the first batch, the last one, and all batches together, or nothing if the case has
  /// none.
  List<Representation> batchRepresentations(GoldenCase golden) throws Exception {
    List<Representation> representations = new ArrayList<>();
    Decoded all = golden.expected(false);
    int count = all.batches().size();
    if (count == 0) {
      return representations;
    }
    upload(golden, false);
    for (String codec : CODECS) {
      Decoded first = new Decoded(all.schema(), all.batches().subList(0, 1));
      representations.add(representation(golden + ", the first batch", "/batches/0", codec, first));
      Decoded last = new Decoded(all.schema(), all.batches().subList(count - 1, count));
      representations.add(
          representation(golden + ", the last batch", "/batches/" + (count - 1), codec, last));
      representations.add(
          representation(golden + ", its batches", "/batches/0-" + (count - 1), codec, all));
    }
    return representations;
  }

  private void upload(GoldenCase golden, boolean asFile) throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment body = asFile ? golden.file(arena) : golden.stream(arena);
      HttpResponse<byte[]> response =
          put("/datasets/golden?batches=keep", body.toArray(LittleEndian.INT8));
      assertThat(response.statusCode()).as(golden + ": " + text(response)).isIn(200, 201);
    }
  }

  private Representation representation(
      String description, String part, String codec, Decoded expected) throws Exception {
    String query = codec.isEmpty() ? "" : "?codec=" + codec;
    HttpResponse<byte[]> response = get("/datasets/golden" + part + query);
    assertThat(response.statusCode()).as(description + ": " + text(response)).isEqualTo(200);
    MemorySegment body = Decoded.Sink.copy(response.body());
    return new Representation(description + query, codec, part.equals(".arrow"), body, expected);
  }
}
