package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.test.context.TestPropertySource;

/// A store that reaches its size limit.
@TestPropertySource(
    properties = {
      "quiver.limits.storage-bytes=100KB",
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/limited"
    })
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StorageLimitTest extends RunningService {

  @Test
  @Order(1)
  void rejectsOnlyUploadsOverTheStorageLimit() throws Exception {
    assertThat(put("/datasets/small", Streams.numbers(0, 10_000)).statusCode()).isEqualTo(201);
    HttpResponse<byte[]> response = put("/datasets/large", Streams.numbers(0, 20_000));
    assertThat(response.statusCode()).isEqualTo(507);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:storage-full");
    assertThat(json(response).get("detail").asString())
        .startsWith(
            "Expected at most 102400 bytes in the store (quiver.limits.storage-bytes) but found ");
    assertThat(get("/datasets/large").statusCode()).isEqualTo(404);
    assertThat(get("/datasets/small").statusCode()).isEqualTo(200);
    assertThat(json(get("/health")).get("status").asString()).isEqualTo("UP");
    assertThat(put("/datasets/third", Streams.numbers(0, 5_000)).statusCode()).isEqualTo(201);
  }

  /// A delete writes a manifest before anything can be freed. Fills the store.
  @Test
  @Order(2)
  void deletesDatasetsInAFullStore() throws Exception {
    for (int i = 0; i < 10; i++) {
      put("/datasets/deleted-" + i, Streams.numbers(0, 10));
    }
    for (int rows = 10_000; rows > 0; ) {
      int status = put("/datasets/filler-" + rows, Streams.numbers(0, rows)).statusCode();
      rows = status == 507 ? rows / 2 : rows - 1;
    }
    HttpResponse<byte[]> health = get("/health");
    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(json(health).get("status").asString()).isEqualTo("OUT_OF_SERVICE");
    assertThat(json(health).get("description").asString())
        .isEqualTo("Expected space left in the store but found none; reads go on");
    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(get("/health/readiness").statusCode()).isEqualTo(503);

    for (int i = 0; i < 10; i++) {
      assertThat(delete("/datasets/deleted-" + i).statusCode()).isEqualTo(204);
      assertThat(get("/datasets/deleted-" + i).statusCode()).isEqualTo(410);
    }
  }
}
