package dev.quiver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The arguments that print something about the program rather than start the service.
final class CommandLine {

  private static final String HELP =
      """
      Quiver %s stores Apache Arrow data and serves it over HTTP.

      Usage: java -jar quiver.jar [--KEY=VALUE ...]
             mvn spring-boot:run -Dspring-boot.run.arguments="--KEY=VALUE ..."

        --server.port=8080             the port
        --server.address=127.0.0.1     the address; 0.0.0.0 stands for all of them,
                                       read-only without a token
        --server.servlet.context-path= the path before all others, such as /quiver
        --quiver.storage.path=./data   the folder that holds the datasets
        --quiver.storage.s3.bucket=    the bucket that replaces the folder
        --quiver.token=                the token required for writes
        --quiver.import=               a folder whose Arrow files become datasets
        --quiver.sample=true           create a small dataset in a new store

        --help                         this text
        --version                      the version

      An environment variable sets a key as well: QUIVER_STORAGE_PATH=/data. The file
      application.yml lists all keys, and a running service explains them at /docs.
      """;

  private CommandLine() {}

  /// Returns the text that the arguments print, or null if they start the service.
  static @Nullable String output(List<String> arguments) {
    if (arguments.contains("--help")) {
      return HELP.formatted(version());
    }
    return arguments.contains("--version") ? "Quiver " + version() + "\n" : null;
  }

  /// Returns the version of the program, such as `0.1.0`.
  static String version() {
    try (InputStream in = CommandLine.class.getResourceAsStream("version.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new IllegalStateException("The version cannot be read", e);
    }
  }
}
