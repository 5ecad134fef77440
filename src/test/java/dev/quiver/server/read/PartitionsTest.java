package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.RawHttp;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Partitions for parallel readers, and blobs for readers of the store itself.
/// [PublicPartitionsTest] covers several public URLs.
class PartitionsTest extends RunningService {

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/partitions").statusCode() == 404) {
      put("/datasets/partitions?batches=keep", Streams.numbers(0, 10, 20, 30, 40, 50, 60));
    }
  }

  @Test
  void partitionsAddUpToTheDataset() throws Exception {
    for (int count = 1; count < 9; count++) {
      JsonNode files =
          json("/datasets/partitions/partitions?count=" + count).get("arrow_stream_files");
      assertThat(files.size()).isEqualTo(Math.min(count, 6));
      List<Long> rows = new ArrayList<>();
      for (JsonNode file : files) {
        URI uri = URI.create(file.get("uri").asString());
        assertThat(uri.getAuthority()).isEqualTo("localhost:" + port);
        assertThat(uri.getPath()).startsWith("/datasets/partitions@1/batches/").endsWith(".arrows");
        assertThat("/" + file.get("filename").asString()).isEqualTo(uri.getPath());
        HttpResponse<byte[]> part = get(uri.getPath());
        assertThat(header(part, "Content-Type")).isEqualTo("application/vnd.apache.arrow.stream");
        List<Long> batches = Streams.rowsOfBatches(part.body());
        assertThat(file.get("rows").longValue())
            .isEqualTo(batches.stream().mapToLong(Long::longValue).sum());
        assertThat(file.get("batches").intValue()).isEqualTo(batches.size());
        assertThat(file.get("bytes").longValue()).isEqualTo(part.body().length);
        rows.addAll(batches);
      }
      assertThat(rows).containsExactly(10L, 20L, 30L, 40L, 50L, 60L);
    }
  }

  @Test
  void eachPartitionContainsTheDictionaries() throws Exception {
    JsonNode files = json("/datasets/sample/partitions?count=3").get("arrow_stream_files");
    assertThat(files.size()).isEqualTo(3);
    for (JsonNode file : files) {
      HttpResponse<byte[]> part = get("/" + file.get("filename").asString());
      assertThat(Streams.rowsOfBatches(part.body())).hasSize(1);
      assertThat(file.get("bytes").longValue()).isEqualTo(part.body().length);
    }
  }

  @Test
  void partitionUrisUseTheHostOfTheRequest() throws Exception {
    String response =
        RawHttp.exchange(
            port,
            "GET /datasets/partitions@1/partitions HTTP/1.1\nHost: 127.0.0.9:1234\nConnection: close\n\n");
    assertThat(response)
        .contains("\"http://127.0.0.9:1234/datasets/partitions@1/batches/")
        // The URLs may change although the version does not.
        .contains("Cache-Control: no-cache");
  }

  @Test
  void datasetWithoutBatchesIsOnePartition() throws Exception {
    put("/datasets/no-partitions", Streams.numbers(0));
    JsonNode files = json("/datasets/no-partitions/partitions?count=4").get("arrow_stream_files");
    assertThat(files.size()).isEqualTo(1);
    assertThat(files.at("/0/uri").asString())
        .isEqualTo("http://localhost:%d/datasets/no-partitions@1.arrows".formatted(port));
    HttpResponse<byte[]> part = get("/datasets/no-partitions@1.arrows");
    assertThat(files.at("/0/bytes").intValue()).isEqualTo(part.body().length);
    assertThat(Streams.rowsOfBatches(part.body())).isEmpty();
  }

  @Test
  void rejectsPartitionCountsOutOfBounds() throws Exception {
    assertThat(get("/datasets/partitions/partitions?count=10000").statusCode()).isEqualTo(200);
    for (String count : new String[] {"0", "10001"}) {
      HttpResponse<byte[]> response = get("/datasets/partitions/partitions?count=" + count);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("detail").asString())
          .isEqualTo(
              "Expected a whole number from 1 to 10000 but found \"%s\" at parameter count"
                  .formatted(count));
    }
  }

  @Test
  void entityTagDependsOnThePartitionCount() throws Exception {
    HttpResponse<byte[]> eight = get("/datasets/partitions/partitions");
    HttpResponse<byte[]> four = get("/datasets/partitions/partitions?count=4");
    assertThat(header(eight, "ETag")).isNotEqualTo(header(four, "ETag"));
    assertThat(
            get("/datasets/partitions/partitions", "If-None-Match", header(eight, "ETag"))
                .statusCode())
        .isEqualTo(304);
    HttpResponse<byte[]> head = head("/datasets/partitions/partitions");
    assertThat(header(head, "ETag")).isEqualTo(header(eight, "ETag"));
  }

  @Test
  void concatenatedBlobExtentsEqualTheFile() throws Exception {
    JsonNode document = json("/datasets/partitions/blobs");
    byte[] file = get("/datasets/partitions.arrow").body();
    assertThat(document.get("dataset").asString()).isEqualTo("partitions");
    assertThat(document.get("version").intValue()).isEqualTo(1);
    assertThat(document.get("bytes").intValue()).isEqualTo(file.length);
    ByteArrayOutputStream concatenated = new ByteArrayOutputStream();
    Path store = FOLDER.resolve("shared");
    for (JsonNode extent : document.get("extents")) {
      byte[] blob = Files.readAllBytes(store.resolve(extent.get("blob").asString()));
      concatenated.write(blob, extent.get("offset").intValue(), extent.get("length").intValue());
    }
    assertThat(concatenated.toByteArray()).isEqualTo(file);
    for (JsonNode blob : document.get("blobs")) {
      assertThat(store.resolve(blob.get("key").asString())).hasSize(blob.get("bytes").longValue());
    }
  }

  @Test
  void replacingADatasetCreatesNewBlobs() throws Exception {
    put("/datasets/replaced-blobs", Streams.numbers(0, 3));
    HttpResponse<byte[]> first = get("/datasets/replaced-blobs@1/blobs");
    put("/datasets/replaced-blobs", Streams.numbers(0, 3));
    JsonNode second = json("/datasets/replaced-blobs/blobs");
    assertThat(second.get("version").intValue()).isEqualTo(2);
    assertThat(second.at("/blobs/0/key")).isNotEqualTo(json(first).at("/blobs/0/key"));
    assertThat(get("/datasets/replaced-blobs@1/blobs").body()).isEqualTo(first.body());
    assertThat(header(first, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
  }
}
