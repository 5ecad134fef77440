package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// A store that reaches its size limit.
@TestPropertySource(
    properties = {
      "quiver.limits.storage-bytes=100KB",
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/limited"
    })
class StorageLimitTest extends RunningService {

  @Test
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
    assertThat(put("/datasets/third", Streams.numbers(0, 5_000)).statusCode()).isEqualTo(201);
  }
}
