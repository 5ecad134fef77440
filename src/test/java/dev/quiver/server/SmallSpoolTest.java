package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// A service whose spool cannot hold the library of the engine.
class SmallSpoolTest extends RunningService {

  private static final Path SPOOL = FOLDER.resolve("small");
  private static boolean mounted;

  @DynamicPropertySource
  static void mount(DynamicPropertyRegistry registry) throws IOException, InterruptedException {
    Files.createDirectory(SPOOL);
    mounted = Mounts.run("mount", "-t", "tmpfs", "-o", "size=4m", "none", SPOOL.toString()) == 0;
    registry.add("quiver.spool.path", SPOOL::toString);
  }

  @AfterAll
  static void unmount() throws IOException, InterruptedException {
    if (mounted) {
      Mounts.run("umount", "-l", SPOOL.toString());
    }
  }

  @Test
  void aSpoolThatIsTooSmallIsNamed() throws Exception {
    assumeTrue(mounted, "mounts require permission");
    HttpResponse<byte[]> response = get("/sql.json?q=SELECT%201");
    assertThat(response.statusCode()).as(text(response)).isEqualTo(507);
    assertThat(text(response)).contains("urn:quiver:problem:storage-full", "quiver.spool.path");
    assertThat(json(get("/health")).get("status").asString()).isEqualTo("DEGRADED");
    assertThat(put("/datasets/stored", Streams.numbers(0, 3)).statusCode()).isEqualTo(201);
  }
}
