package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.server.Streams;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/// The log of a start.
@ExtendWith(OutputCaptureExtension.class)
class StartReportTest {

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(Z|[+-]\\d\\d:\\d\\d)";

  @TempDir private Path folder;

  private ConfigurableApplicationContext start(List<String> more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--quiver.storage.path=" + folder.resolve("x/../store"),
                "--quiver.spool.path=" + folder.resolve("spool")));
    arguments.addAll(more);
    return Quiver.application().run(arguments.toArray(String[]::new));
  }

  private static String port(ConfigurableApplicationContext service) {
    return service.getEnvironment().getRequiredProperty("local.server.port");
  }

  @Test
  void startLogsOneLine(CapturedOutput output) {
    try (ConfigurableApplicationContext service = start(List.of())) {
      assertThat(output.getAll().lines().toList())
          .singleElement()
          .asString()
          .matches(
              TIME
                  + "  INFO \\[[^\\]]+] Quiver: "
                  + Pattern.quote(
                      "Quiver %s serves http://localhost:%s/ from %s; everyone on this machine may write"
                          .formatted(
                              CommandLine.version(),
                              port(service),
                              folder.resolve("store").toAbsolutePath())));
    }
  }

  @Test
  void namesWithSuffixesThatAreReservedNowAreWarnedOf(CapturedOutput output) throws IOException {
    try (Datasets earlier =
        new Datasets(FolderBlobStore.open(folder.resolve("store")), DatasetOptions.DEFAULT)) {
      for (String name : List.of("list.tsv", "list", "a.xlsx", "b.zip", "B.Zip", "deleted.tsv")) {
        ByteSource stream = ByteSource.of(MemorySegment.ofArray(Streams.numbers(0, 1)));
        earlier.put(new DatasetName(name), stream, BodyFormat.STREAM, new WriteCondition.None());
      }
      earlier.delete(new DatasetName("deleted.tsv"), new WriteCondition.None());
    }
    try (ConfigurableApplicationContext _ = start(List.of())) {
      assertThat(output.getAll().lines().toList())
          .hasSize(2)
          .first()
          .asString()
          .contains(" WARN ")
          .endsWith(
              "Expected names without the suffix of a representation but found B.Zip, a.xlsx, b.zip,"
                  + " list.tsv, which earlier versions stored; /datasets/NAME means the dataset and"
                  + " not a representation until you store it under another name and delete it");
    }
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--server.address=0.0.0.0 | WARN | others can connect, so it is read-only: set quiver.token",
        "--quiver.trusted-proxies=10.0.0.1 | WARN | others connect through a proxy, so it is read-only: set quiver.token",
        "--quiver.allowed-hosts=data.test | WARN | others connect through a proxy, so it is read-only: set quiver.token",
        "--quiver.allowed-hosts=localhost | INFO | everyone on this machine may write",
        "--server.address=0.0.0.0 --quiver.allow-remote-writes=true | WARN | EVERY CLIENT that can connect may write",
        "--server.address=0.0.0.0 --quiver.token=0123456789abcdef0123456789abcdef | INFO | writes require a token",
        "--quiver.token=0123456789abcdef0123456789abcdef | INFO | writes require a token",
        "--quiver.auth.anonymous=write:a* | INFO | only what quiver.auth.anonymous permits may be written",
        "--quiver.auth.anonymous=write:a* --quiver.token=0123456789abcdef0123456789abcdef | INFO | writes of some datasets require a token",
      })
  void lineNamesTheClientsThatMayWrite(
      String arguments, String level, String end, CapturedOutput output) {
    try (ConfigurableApplicationContext service =
        start(List.of(("--server.servlet.context-path=/quiver " + arguments).split(" ")))) {
      assertThat(output.getAll())
          .contains(" serves http://localhost:" + port(service) + "/quiver/ from ")
          .contains("; " + end)
          .contains(" " + level + " [");
    }
  }
}
