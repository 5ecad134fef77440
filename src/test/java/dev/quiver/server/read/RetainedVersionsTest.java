package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import dev.quiver.store.blob.BlobStore;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/// The list of versions, and responses for deleted ones. `GarbageCollectorTest` covers when
/// versions are deleted.
class RetainedVersionsTest extends RunningService {

  @Autowired private BlobStore store;

  @Test
  void listsCompactionsWhenRequested() throws Exception {
    put("/datasets/kinds-of-versions", Streams.numbers(0, 3));
    post("/datasets/kinds-of-versions", Streams.numbers(3, 2));
    post("/datasets/kinds-of-versions/compact", new byte[0]);
    assertThat(kinds("/datasets/kinds-of-versions/versions"))
        .containsExactly("2 append", "1 upload");
    assertThat(kinds("/datasets/kinds-of-versions/versions?compactions=false"))
        .containsExactly("2 append", "1 upload");
    assertThat(kinds("/datasets/kinds-of-versions/versions?compactions=true"))
        .containsExactly("3 compaction", "2 append", "1 upload");
    JsonNode page = json("/datasets/kinds-of-versions/versions?compactions=true&limit=1");
    assertThat(page.get("next").asString())
        .isEqualTo("/datasets/kinds-of-versions/versions?limit=1&before=3&compactions=true");
    assertThat(kinds(page.get("next").asString())).containsExactly("2 append");
    HttpResponse<byte[]> invalid = get("/datasets/kinds-of-versions/versions?compactions=some");
    assertThat(invalid.statusCode()).isEqualTo(400);
    assertThat(json(invalid).get("detail").asString())
        .isEqualTo("Expected false or true but found \"some\" at parameter compactions");
  }

  @Test
  void deletedVersionsAreGone() throws Exception {
    for (int i = 1; i <= 3; i++) {
      put("/datasets/kept", Streams.numbers(0, i));
    }
    store.delete(store.list("manifests/_kept_/", null, 9).getLast());
    for (String path : List.of("", ".arrow", ".csv", "/schema", "/batches", "/batches/0")) {
      HttpResponse<byte[]> gone = get("/datasets/kept@1" + path);
      assertThat(gone.statusCode()).as(path).isEqualTo(410);
      assertThat(json(gone).get("type").asString()).isEqualTo("urn:quiver:problem:gone");
      assertThat(json(gone).get("detail").asString())
          .isEqualTo(
              "Expected a retained version but found one that was replaced and then deleted at"
                  + " kept@1");
      assertThat(head("/datasets/kept@1" + path).statusCode()).isEqualTo(410);
    }
    assertThat(get("/datasets/kept@2.arrow").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/kept@4.arrow").statusCode()).isEqualTo(404);
    assertThat(kinds("/datasets/kept/versions")).containsExactly("3 upload", "2 upload");
  }

  private List<String> kinds(String path) throws Exception {
    List<String> kinds = new ArrayList<>();
    json(path)
        .get("versions")
        .forEach(version ->
            kinds.add(version.get("version").intValue() + " " + version.get("kind").asString()));
    return kinds;
  }
}
