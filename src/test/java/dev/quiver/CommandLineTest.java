package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.FileSystemResource;

class CommandLineTest {

  private static final Pattern KEY = Pattern.compile("(?m)^  --([a-z0-9.-]+)=(\\S*)");

  private static String output(String... arguments) {
    return Objects.requireNonNull(CommandLine.output(List.of(arguments)));
  }

  @Test
  void printsTheVersionOfTheBuild() throws IOException {
    String project = java.nio.file.Files.readString(Path.of("pom.xml"));
    Matcher version =
        Pattern.compile("<artifactId>quiver</artifactId>\\s*<version>(.*)</version>")
            .matcher(project);
    assertThat(version.find()).isTrue();
    assertThat(output("--version")).isEqualTo("Quiver " + version.group(1) + "\n");
    assertThat(output("--server.port=0", "--version", "--help"))
        .startsWith("Quiver " + version.group(1) + " stores");
  }

  @Test
  void startsTheServiceWithOtherArguments() {
    assertThat(CommandLine.output(List.of())).isNull();
    assertThat(CommandLine.output(List.of("--server.port=0", "help", "--helpful"))).isNull();
  }

  @Test
  void helpHasKeysWithTheirDefaults() throws IOException {
    PropertySource<?> defaults =
        new YamlPropertySourceLoader()
            .load("file", new FileSystemResource(Path.of("application.yml")))
            .getFirst();
    String help = output("--help");
    assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    assertThat(KEY.matcher(help).results())
        .hasSizeGreaterThan(5)
        .filteredOn(key -> !key.group(1).equals("server.servlet.context-path"))
        .allSatisfy(key ->
            assertThat(defaults.getProperty(key.group(1)))
                .as(key.group(1))
                .asString()
                .isEqualTo(key.group(2)));
  }
}
