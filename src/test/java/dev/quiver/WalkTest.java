package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The walks of `src/docs/architecture.md`, compared with the types that a PUT and a GET with
/// `columns` really pass. A walk that grows is harder to follow, so each has a limit.
@Tag("long")
class WalkTest {

  private static final Path DOCUMENT = Path.of("src/docs/architecture.md");
  private static final int STEPS = 10;

  /// The most types that a PUT may pass.
  private static final int PUT_TYPES = 101;

  /// The most types that a GET with `columns` may pass.
  private static final int GET_TYPES = 97;

  private static final Pattern TYPE = Pattern.compile("`((?:server|store)\\.[\\w.]+)`");

  @TempDir private Path folder;

  @Test
  void requestsPassTheDocumentedSteps() throws Exception {
    InstrumentedClasses.write(Quiver.class, folder.resolve("classes"));
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder.resolve("classes")
                    + System.getProperty("path.separator")
                    + System.getProperty("java.class.path"),
                WalkedQuiver.class.getName(),
                "--server.port=0",
                "--quiver.storage.path=" + folder.resolve("store"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (HttpClient client = HttpClient.newHttpClient();
        BufferedReader output = process.inputReader()) {
      String origin = "http://localhost:" + await(output, "port (\\d+)");
      byte[] sample =
          client.send(get(origin + "/datasets/sample.arrows"), BodyHandlers.ofByteArray()).body();
      HttpRequest put =
          HttpRequest.newBuilder(URI.create(origin + "/datasets/walk"))
              .header("Content-Type", "application/vnd.apache.arrow.stream")
              .PUT(BodyPublishers.ofByteArray(sample))
              .build();
      client.send(put, BodyHandlers.discarding());
      await(output, "walk PUT 201 .*");
      client.send(put, BodyHandlers.discarding());
      List<String> putWalk = List.of(await(output, "walk PUT 200 (.*)").split(" "));
      client.send(
          get(origin + "/datasets/walk.arrows?columns=mission,minutes"), BodyHandlers.discarding());
      List<String> getWalk = List.of(await(output, "walk GET 200 (.*)").split(" "));
      assertThat(putWalk).hasSizeLessThanOrEqualTo(PUT_TYPES);
      assertThat(putWalk).containsSubsequence(documented("### A PUT"));
      assertThat(getWalk).hasSizeLessThanOrEqualTo(GET_TYPES);
      assertThat(getWalk).containsSubsequence(documented("### A GET with `columns`"));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static HttpRequest get(String url) {
    return HttpRequest.newBuilder(URI.create(url)).build();
  }

  /// Returns the first group of the next line that matches.
  private static String await(BufferedReader output, String pattern) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      Matcher matcher = Pattern.compile(pattern).matcher(line);
      if (matcher.matches()) {
        return matcher.group(matcher.groupCount());
      }
      lines.add(line);
    }
    throw new AssertionError("Expected %s but found %s".formatted(pattern, lines));
  }

  private static List<String> documented(String heading) throws IOException {
    List<String> lines = Files.readAllLines(DOCUMENT);
    assertThat(lines).contains(heading);
    List<String> types =
        lines.stream()
            .skip(lines.indexOf(heading) + 1)
            .takeWhile(line -> !line.startsWith("#"))
            .flatMap(line -> TYPE.matcher(line).results())
            .map(type -> type.group(1))
            .toList();
    assertThat(types).hasSize(STEPS);
    return types;
  }
}
