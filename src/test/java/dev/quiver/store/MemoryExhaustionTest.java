package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.parallel.MemoryExhaustion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// A service that runs out of memory, by the JVM's own errors where a test can cause them.
@Tag("long")
class MemoryExhaustionTest {

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private ServiceProcess service;

  @BeforeEach
  void start() throws IOException {
    service =
        new ServiceProcess(
            List.of(), folder, "--spring.main.sources=" + ExhaustingController.class.getName());
  }

  @AfterEach
  void stop() throws InterruptedException {
    service.close();
  }

  @RestController
  static class ExhaustingController {

    @GetMapping("/test/heap")
    void exhaustHeap() {
      List<byte[]> held = new ArrayList<>();
      while (true) {
        held.add(new byte[1 << 20]);
      }
    }

    @GetMapping("/test/direct")
    void exhaustDirectMemory() {
      List<ByteBuffer> held = new ArrayList<>();
      while (true) {
        held.add(ByteBuffer.allocateDirect(1 << 20));
      }
    }

    @GetMapping("/test/background")
    void exhaustHeapInAnotherThread() throws InterruptedException {
      Thread.ofPlatform().start(this::exhaustHeap).join();
    }

    @GetMapping("/test/thread")
    void lackAThread() {
      throw new OutOfMemoryError(
          "unable to create native thread: possibly out of memory or process/resource limits reached");
    }

    @GetMapping("/test/array")
    int allocateTheLongestArray() {
      return new long[Integer.MAX_VALUE].length;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/test/heap", "/test/direct", "/test/background"})
  void endsTheProcessWithALogLine(String path) throws Exception {
    assertThatThrownBy(() -> status(path)).isInstanceOf(IOException.class);
    assertThat(service.awaitEnd()).isEqualTo(MemoryExhaustion.EXIT_CODE).isEqualTo(3);
    assertThat(service.log())
        .filteredOn(line -> line.endsWith("The process ends because its memory is exhausted"))
        .hasSize(1);
  }

  @Test
  void goesOnWithoutAThreadAndAfterAnArrayOfAnyLength() throws Exception {
    assertThat(status("/test/thread")).isEqualTo(503);
    assertThat(status("/test/array")).isEqualTo(503);
    assertThat(status("/health")).isEqualTo(200);
  }

  private int status(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(service.origin() + path)).build();
    return client.send(request, BodyHandlers.ofByteArray()).statusCode();
  }
}
