package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.memory.LittleEndian;
import dev.quiver.web.RunningService;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/// A golden case as the running service gives it: uploaded as a stream and as a file, and fetched
/// as both, as it is stored and in each codec.
abstract class ServedGoldenFiles extends RunningService {

  private static final List<String> CODECS = List.of("", "none", "lz4", "zstd");

  /// @param what for failures
  /// @param codec the one that was asked for; empty for that in which it is stored
  /// @param body of the answer
  /// @param expected what it should hold
  record Answer(String what, String codec, boolean isFile, MemorySegment body, Decoded expected) {

    Decoded decoded() throws IOException {
      return isFile ? Decoded.ofFile(body) : Decoded.ofStream(body);
    }
  }

  /// All of the case, each time that it is served.
  List<Answer> wholeAnswers(GoldenCase golden) throws Exception {
    List<Answer> answers = new ArrayList<>();
    for (boolean asFile : new boolean[] {false, true}) {
      Decoded expected = golden.expected(asFile);
      upload(golden, asFile);
      for (String codec : CODECS) {
        for (String suffix : List.of(".arrow", ".arrows")) {
          String what = "%s as a %s, %s".formatted(golden, asFile ? "file" : "stream", suffix);
          answers.add(answer(what, suffix, codec, expected));
        }
      }
    }
    return answers;
  }

  /// The first batch, the last one, and all together, of a case that has batches.
  List<Answer> batchAnswers(GoldenCase golden) throws Exception {
    List<Answer> answers = new ArrayList<>();
    Decoded all = golden.expected(false);
    int count = all.batches().size();
    if (count == 0) {
      return answers;
    }
    upload(golden, false);
    for (String codec : CODECS) {
      Decoded first = new Decoded(all.schema(), all.batches().subList(0, 1));
      answers.add(answer(golden + ", the first batch", "/batches/0", codec, first));
      Decoded last = new Decoded(all.schema(), all.batches().subList(count - 1, count));
      answers.add(answer(golden + ", the last batch", "/batches/" + (count - 1), codec, last));
      answers.add(answer(golden + ", its batches", "/batches/0-" + (count - 1), codec, all));
    }
    return answers;
  }

  private void upload(GoldenCase golden, boolean asFile) throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment body = asFile ? golden.file(arena) : golden.stream(arena);
      HttpResponse<byte[]> response =
          put("/datasets/golden?batches=keep", body.toArray(LittleEndian.INT8));
      assertThat(response.statusCode()).as(golden + ": " + text(response)).isIn(200, 201);
    }
  }

  private Answer answer(String what, String part, String codec, Decoded expected) throws Exception {
    String query = codec.isEmpty() ? "" : "?codec=" + codec;
    HttpResponse<byte[]> response = get("/datasets/golden" + part + query);
    assertThat(response.statusCode()).as(what + ": " + text(response)).isEqualTo(200);
    MemorySegment body = Decoded.Sink.copy(response.body());
    return new Answer(what + query, codec, part.equals(".arrow"), body, expected);
  }
}
