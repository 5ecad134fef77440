package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Partitions of a service with several public URLs. [PartitionsTest] covers a service on loopback.
@TestPropertySource(
    properties = "quiver.public-urls=https://a.example.org,https://b.example.org/arrow/")
class PublicPartitionsTest extends RunningService {

  @Test
  void partitionsAlternateBetweenPublicUrls() throws Exception {
    put("/datasets/in-turn?batches=keep", Streams.numbers(0, 10, 10, 10));
    JsonNode files = json("/datasets/in-turn/partitions?count=3").get("arrow_stream_files");
    List<String> uris = new ArrayList<>();
    files.forEach(file -> uris.add(file.get("uri").asString()));
    assertThat(uris)
        .containsExactly(
            "https://a.example.org/datasets/in-turn@1/batches/0-0.arrows",
            "https://b.example.org/arrow/datasets/in-turn@1/batches/1-1.arrows",
            "https://a.example.org/datasets/in-turn@1/batches/2-2.arrows");
  }

  @Test
  void homePageCommandsUseTheFirstPublicUrl() throws Exception {
    assertThat(text(get("/", "Accept", "text/html")))
        .contains("curl -T flights.arrow https://a.example.org/datasets/");
  }
}
