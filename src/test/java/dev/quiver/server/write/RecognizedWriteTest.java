package dev.quiver.server.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.server.RunningService;
import dev.quiver.server.http.ProblemException;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.UploadOptions;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// A dataset that changes after text was recognized, and before it is committed.
class RecognizedWriteTest extends RunningService {

  private static final UploadFormat.Undeclared BODY =
      new UploadFormat.Undeclared(
          Map.of(), /* isJson= */ false, /* mayReplace= */ false, /* isInForm= */ false);

  @Autowired private ArrowBodies bodies;
  @Autowired private Datasets datasets;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Puts text whose columns are `a` and `b`.
  ///
  /// @param created the text that another client stores meanwhile
  private WriteResult put(String name, String created) throws Exception {
    byte[] text = bytes("a,b\n1,2\n");
    DatasetName dataset = new DatasetName(name);
    try (ArrowBody body =
        bodies.of(ByteSource.of(MemorySegment.ofArray(text)), BODY, Principal.SERVICE)) {
      body.replaces(dataset);
      body.open();
      assertThat(put("/datasets/" + name + ".csv", bytes(created)).statusCode()).isIn(200, 201);
      return datasets.put(
          dataset, body, new WriteCondition.None(), UploadOptions.DEFAULT, /* key= */ null);
    }
  }

  @Test
  void replacesNoDatasetThatAppearsMeanwhile() throws Exception {
    ProblemException e =
        catchThrowableOfType(
            ProblemException.class, () -> put("recognized-write", "city,degrees\nBern,12\n"));
    assertThat(e.problem().status()).isEqualTo(409);
    assertThat(e.problem().detail())
        .isEqualTo(
            "Expected the columns of dataset recognized-write but found a, b at the body, whose"
                + " format nothing states");
    assertThat(e.problem().members().get("hint"))
        .isEqualTo(
            "To replace the data, send it to /datasets/recognized-write.csv, or with the header"
                + " If-Match: *.");
    assertThat(text(get("/datasets/recognized-write.csv"))).contains("Bern");
  }

  @Test
  void replacesADatasetOfTheSameColumnsThatAppearsMeanwhile() throws Exception {
    assertThat(put("recognized-write-same", "b,a\n3,4\n").summary().version()).isEqualTo(2);
    assertThat(text(get("/datasets/recognized-write-same.csv"))).startsWith("a,b");
  }
}
