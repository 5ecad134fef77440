package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.server.config.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/// Starts with an invalid configuration: each ends with one line that says what to change.
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationErrorsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quiver.tokn | quiver.token",
        "quiver.alowed-hosts | quiver.allowed-hosts",
        "quiver.allow-remote-write | quiver.allow-remote-writes",
        "quiver.token-required | quiver.token-required-for",
        "quiver.public-url | quiver.public-urls",
        "quiver.samples | quiver.sample",
        "quiver.imports | quiver.import",
        "quiver.cors.origins | quiver.cors.allowed-origins",
        "quiver.cors | quiver.cors.allowed-origins",
        "quiver.storage | quiver.storage.path",
        "quiver.storage.paht | quiver.storage.path",
        "quiver.storage.bucket | quiver.storage.s3.bucket",
        "quiver.max-staleness | quiver.storage.max-staleness",
        "quiver.retention.ages | quiver.retention.age",
        "quiver.ingest.lvl | quiver.ingest.level",
        "quiver.limits.idle-second | quiver.limits.idle-seconds",
        "quiver.limits.storage-byte | quiver.limits.storage-bytes",
        "quiver.limits.genrated-responses | quiver.limits.generated-responses",
        "quiver.request-bytes | quiver.limits.request-bytes",
        "quiver.limits.in-fligth-bytes | quiver.limits.in-flight-bytes",
        "quiver.limits.unbounded-address[0] | quiver.limits.unbounded-addresses",
        "quiver.sampel.x | quiver.sample",
      })
  void namesTheKeyNearestToAnUnknownOne(String key, String nearest, CapturedOutput output) {
    assertOneLine(
        "Expected a key but found %s at the command line: the nearest key is %s"
            .formatted(key, nearest),
        output,
        Map.of(),
        "--" + key + "=1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "QUIVER_TOKN | quiver.token",
        "quiver_tokn | quiver.token",
        "QUIVER_STORAGEPATH | quiver.storage.path",
        "QUIVER_PUBLICURL_0 | quiver.public-urls",
      })
  void namesAnUnknownVariableOfTheEnvironment(
      String variable, String nearest, CapturedOutput output) {
    assertOneLine(
        "Expected a key but found %s at the environment: the nearest key is %s"
            .formatted(variable, nearest),
        output,
        Map.of(variable, "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "QUIVER_REQUIRE",
        "QUIVER_OF_ARROW_JAVA",
        "QUIVER_SERVICE_HOST",
        "QUIVER_SERVICE_PORT_HTTP",
        "QUIVER_PORT",
        "QUIVER_PORT_8080_TCP_ADDR",
        "QUIVER_RETENTION_COUNT",
        "QUIVER_LIMITS_IDLESECONDS",
        "QUIVER_LIMITS_IDLE_SECONDS",
        "quiver_limits_idleseconds",
        "QUIVERS",
      })
  void acceptsKeysAndVariablesOfOthersInTheEnvironment(String variable) {
    start(Map.of(variable, "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--quiver.limits.idleSeconds=1",
        "--quiver.limits.idle_seconds=1",
        "--quiver.public-urls[1]=http://b.test/quiver",
        "--server.servlet.context-path=/q/data.v1/",
        "--quiver.pages.frame-ancestors=https://a.test:8443,http://[::1]:3000",
        "--quiver.public-urls=http://a.test,https://b.test:8443/",
        "--quiver.cors.allowed-origins=*,https://a.test:8443,http://[::1]:3000",
        "--quiver.limits.unbounded-addresses=10.0.0.0/8,fd00::/8,127.0.0.1",
        "--quiver.storage.max-staleness=90",
        "--quivers.tokn=1",
      })
  void acceptsEverySpellingAndForm(String argument) {
    start(Map.of(), argument, "--quiver.public-urls[0]=http://a.test");
  }

  @Test
  void namesTheFileAndTheLineOfAnUnknownKey(CapturedOutput output) throws IOException {
    Path file = folder.resolve("mine.yml");
    Files.writeString(file, "quiver:\n  sample: false\n  limits:\n    idle: 5\n");
    assertOneLine(
        "Expected a key but found quiver.limits.idle at URL [file:%s] - 4:11: the nearest key is"
                .formatted(file)
            + " quiver.limits.idle-seconds",
        output,
        Map.of(),
        "--spring.config.location=file:" + file);
  }

  @Test
  void namesTheSystemPropertiesOfAnUnknownKey(CapturedOutput output) {
    System.setProperty("quiver.tokn", "abc");
    try {
      assertOneLine(
          "Expected a key but found quiver.tokn at the system properties: the nearest key is"
              + " quiver.token",
          output,
          Map.of());
    } finally {
      System.clearProperty("quiver.tokn");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quiver.sample | maybe | true or false | \"maybe\"",
        "quiver.sendfile | 2 | true or false | \"2\"",
        "quiver.token-required-for | reads | writes or all | \"reads\"",
        "quiver.ingest.level | high | layout or offsets or values or domain | \"high\"",
        "quiver.ingest.level | domain | layout, offsets or values | domain",
        "quiver.ingest.batch-bytes | 8 mega | bytes or a size such as 512KB, 64MB or 2GB |"
            + " \"8 mega\"",
        "quiver.storage.s3.checksums | never | when-supported or when-required | \"never\"",
        "quiver.storage.s3.endpoint | storage:9000 | a URL such as https://storage.example.org |"
            + " storage:9000",
        "quiver.storage.grace-period | 1 fortnight | seconds or a duration such as 90s, 15m, 1h or"
            + " 7d | \"1 fortnight\"",
        "quiver.storage.grace-period | 0 | a positive duration | PT0S",
        "quiver.storage.max-staleness | -5 | a duration of 0 or more | PT-5S",
        "quiver.import-interval | 0s | 1ms or more | PT0S",
        "quiver.retention.count | 0 | 1 or more | 0",
        "quiver.retention.count | three | a whole number up to 2147483647 | \"three\"",
        "quiver.retention.count | 3000000000 | a whole number up to 2147483647 | \"3000000000\"",
        "quiver.compaction.extents | -1 | 0 or more | -1",
        "quiver.limits.request-bytes | -1MB | 1 or more | -1048576",
        "quiver.limits.request-bytes | 5XB | bytes or a size such as 512KB, 64MB or 2GB | \"5XB\"",
        "quiver.limits.batch-rows | 0 | 1 or more | 0",
        "quiver.limits.generated-responses | 0 | 1 or more | 0",
        "quiver.limits.idle-seconds | 3000000 | 1 to 2147483 | 3000000",
        "quiver.limits.head-seconds | 0 | 1 to 2147483 | 0",
        "quiver.limits.upload-seconds | 43201 | at most half of quiver.storage.grace-period, 43200"
            + " s, | 43201 s",
        "quiver.limits.connections-per-address | -1 | 0 or more | -1",
        "quiver.limits.unbounded-addresses | proxy.test | an IP address or a network such as"
            + " 10.0.0.0/8 | proxy.test",
        "quiver.limits.unbounded-addresses | 10.0.0.0/33 | an IP address or a network such as"
            + " 10.0.0.0/8 | 10.0.0.0/33",
        "quiver.trusted-proxies | proxy.test | an IP address or a network such as 10.0.0.0/8 |"
            + " proxy.test",
        "quiver.trusted-proxies | 10/8 | an IP address or a network such as 10.0.0.0/8 | 10/8",
        "quiver.trusted-proxies | 172.16/12 | an IP address or a network such as 10.0.0.0/8 |"
            + " 172.16/12",
        "server.forward-headers-strategy | native | none, and the proxies in quiver.trusted-proxies, |"
            + " native",
        "server.tomcat.remoteip.protocol-header | none | no header, but the proxies in"
            + " quiver.trusted-proxies, | none",
        "server.tomcat.remoteip.remote-ip-header | X-Forwarded-For | no header, but the proxies in"
            + " quiver.trusted-proxies, | X-Forwarded-For",
        "quiver.allowed-hosts | http://a.test | a host name without scheme and port | http://a.test",
        "quiver.allowed-hosts | a.test:8080 | a host name without scheme and port | a.test:8080",
        "quiver.public-urls | example.org | a URL such as https://example.org | example.org",
        "quiver.public-urls | ftp://a.test | a URL such as https://example.org | ftp://a.test",
        "quiver.public-urls | http://a.test/?x=1 | a URL such as https://example.org |"
            + " http://a.test/?x=1",
        "quiver.public-urls | http://a.test/b+c | segments of letters, digits, -._~ with at most 200"
            + " characters | /b+c",
        "quiver.public-urls | http://a.test/../b | segments of letters, digits, -._~ with at most 200"
            + " characters | /../b",
        "quiver.public-urls | http://a.test/datasets/ | a path other than those of resources |"
            + " /datasets/",
        "server.servlet.context-path | q | segments of letters, digits, -._~ with at most 200"
            + " characters | q",
        "server.servlet.context-path | //q | segments of letters, digits, -._~ with at most 200"
            + " characters | //q",
        "server.servlet.context-path | /sql.old/a | a path other than those of resources |"
            + " /sql.old/a",
        "quiver.pages.frame-ancestors | * | an origin such as https://example.org, in lower case and"
            + " without a path, | *",
        "quiver.pages.frame-ancestors | ftp://a.test | an origin such as https://example.org, in lower"
            + " case and without a path, | ftp://a.test",
        "quiver.pages.frame-ancestors | https://a.test; script-src * | an origin such as"
            + " https://example.org, in lower case and without a path, | https://a.test; script-src *",
        "quiver.cors.allowed-origins | https://a.test/ | * or an origin such as"
            + " https://example.org, in lower case and without a path, | https://a.test/",
        "quiver.cors.allowed-origins | a.test | * or an origin such as https://example.org, in"
            + " lower case and without a path, | a.test",
        "quiver.cors.allowed-origins | HTTPS://A.test | * or an origin such as"
            + " https://example.org, in lower case and without a path, | HTTPS://A.test",
        "quiver.interop | simple | simple or compressed or range or indirect or multipart or"
            + " post-simple or post-multipart, a colon and a dataset | simple",
        "quiver.interop | simple:a,range:b | one convention for GET / | two",
        "quiver.token | two words | letters, digits, -._~+/ and trailing = | other characters",
      })
  void namesTheKeyAndTheExpectationOfAnInvalidValue(
      String key, String value, String expected, String found, CapturedOutput output) {
    assertOneLine(
        "Expected %s but found %s at %s".formatted(expected, found, key),
        output,
        Map.of(),
        "--" + key + "=" + value);
  }

  /// The text of a hash or a key is never told, since it may be the token itself.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tokens[0].sha256=secret | 64 lower-case hexadecimal digits | others |"
            + " tokens[].sha256 of the token etl",
        "tokens[0].sha256= | 64 lower-case hexadecimal digits | none |"
            + " tokens[].sha256 of the token etl",
        "tokens[0].name=two words | 1 to 100 letters, digits, '.', '_' and '-' | others |"
            + " tokens[].name",
        "tokens[1].name=etl | distinct names | etl | tokens[].name",
        "tokens[1].sha256=%1$s | distinct tokens | one token twice | tokens[].sha256",
        "tokens[0].limits.requests=-2 | -1 or more | -2 | tokens[].limits.requests",
        "tokens[0].limits.statements=-2 | -1 or more | -2 | tokens[].limits.statements",
        "tokens[0].limits.bytes-per-second=1KB | -1B, 0B, or 64KB or more | 1024B |"
            + " tokens[].limits.bytes-per-second",
        "tokens[0].limits.bytes-per-second=-2B | -1B, 0B, or 64KB or more | -2B |"
            + " tokens[].limits.bytes-per-second",
        "limits.requests=-1 | 0 or more | -1 | limits.requests",
        "limits.requests=many | a whole number up to 2147483647 | \"many\" | limits.requests",
        "limits.statements=-1 | 0 or more | -1 | limits.statements",
        "limits.bytes-per-second=64KB | 1 or more beside bytes-per-second | 0 | limits.requests",
        "limits.uploads=-1 | 0 to 100000 | -1 | limits.uploads",
        "limits.uploads=100001 | 0 to 100000 | 100001 | limits.uploads",
        "tokens[0].limits.uploads=-2 | -1 to 100000 | -2 | tokens[].limits.uploads",
        "limits.bytes-per-second=65535B | 0B, or 64KB or more | 65535B | limits.bytes-per-second",
        "limits.bytes-per-second=fast | bytes or a size such as 512KB, 64MB or 2GB | \"fast\" |"
            + " limits.bytes-per-second",
        "tokens[0].limits.stored-bytes=-2B | -1B or more | -2B | tokens[].limits.stored-bytes",
        "limits.stored-bytes=-1B | 0B or more | -1B | limits.stored-bytes",
        "names-claim= | the name of a claim | none | names-claim",
        "link-expires=0s | 1s or more | PT0S | link-expires",
        "signing-key=thirty-one-characters-of-a-key- | 32 or more characters | 31 characters |"
            + " signing-key",
      })
  void namesTheInvalidKeyOfAPrincipal(
      String argument, String expected, String found, String key, CapturedOutput output) {
    String first = "0123456789abcdef".repeat(4);
    Map<String, String> arguments = new TreeMap<>();
    arguments.put("tokens[0].name", "etl");
    arguments.put("tokens[0].sha256", first);
    arguments.put("tokens[1].name", "guest");
    arguments.put("tokens[1].sha256", first.replace('0', 'f'));
    int end = argument.indexOf('=');
    arguments.put(argument.substring(0, end), argument.substring(end + 1).formatted(first));
    assertOneLine(
        "Expected %s but found %s at quiver.auth.%s".formatted(expected, found, key),
        output,
        Map.of(),
        arguments.entrySet().stream()
            .map(entry -> "--quiver.auth.%s=%s".formatted(entry.getKey(), entry.getValue()))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tokens[0].permissions=delete:*", "anonymous=reads"})
  void namesAnUnknownPermission(String argument, CapturedOutput output) {
    assertThatThrownBy(() ->
            start(
                Map.of(),
                "--quiver.auth.tokens[0].name=etl",
                "--quiver.auth.tokens[0].sha256=" + "0123456789abcdef".repeat(4),
                "--quiver.auth." + argument))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith(
            "Expected read: or write: and a pattern of dataset names, or admin, but found another"
                + " word at a permission in quiver.auth."
                + argument.replaceFirst("=.*", "").replace("0", ""));
    assertThat(output.getAll()).doesNotContain("\tat ");
  }

  @Test
  void namesTheFileWhereAFolderIsExpected(CapturedOutput output) throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (Path path : List.of(file, file.resolve("below"))) {
      assertOneLine(
          "Expected a folder but found the file %s at quiver.storage.path".formatted(file),
          output,
          Map.of(),
          "--quiver.storage.path=" + path);
    }
  }

  @Test
  void rejectsAKeyThatIsGivenTwice(CapturedOutput output) {
    assertOneLine(
        "Expected a key once but found it twice on the command line at quiver.storage.path",
        output,
        Map.of(),
        "--quiver.storage.path=" + folder.resolve("one"),
        "--quiver.storage.path=" + folder.resolve("two"));
  }

  /// The service starts, since only the attempt to create the folder tells.
  @Test
  void namesTheKeyOfAFolderThatCannotBeCreated(CapturedOutput output) {
    assumeTrue(Files.isDirectory(Path.of("/proc/self")));
    assertThatThrownBy(() ->
            Quiver.application()
                .run("--spring.main.banner-mode=off", "--quiver.storage.path=/proc/quiver/x"))
        .isInstanceOf(Exception.class);
    assertThat(output.getAll())
        .containsPattern(
            ": Expected a store that can be used but found .*/proc/quiver.* at quiver.storage.path")
        .doesNotContain("\tat ");
  }

  @Test
  void namesTheInvalidValueOfAKeyOfSpring(CapturedOutput output) {
    assertThatThrownBy(() ->
            Quiver.application().run("--spring.main.banner-mode=off", "--server.shutdown=soon"))
        .isInstanceOf(Exception.class);
    assertThat(output.getAll())
        .containsOnlyOnce(
            ": Expected graceful or immediate but found \"soon\" at server.shutdown\n")
        .doesNotContain("\tat ");
  }

  /// Asserts that a start writes this line and no other.
  private static void assertOneLine(
      String line, CapturedOutput output, Map<String, Object> variables, String... arguments) {
    int before = output.getAll().length();
    assertThatThrownBy(() -> start(variables, arguments))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(line);
    String written = output.getAll().substring(before);
    assertThat(written.lines()).as(written).singleElement().asString().endsWith(": " + line);
  }

  /// Starts as the service does, but without its components.
  private static void start(Map<String, Object> variables, String... arguments) {
    SpringApplication application = new SpringApplication(Nothing.class);
    application.setDefaultProperties(Quiver.DEFAULTS);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setBannerMode(org.springframework.boot.Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    application.setEnvironment(
        new StandardEnvironment() {
          @Override
          protected void customizePropertySources(MutablePropertySources sources) {
            super.customizePropertySources(sources);
            sources.replace(
                SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                new SystemEnvironmentPropertySource(
                    SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
          }
        });
    application.run(arguments).close();
  }

  @Configuration(proxyBeanMethods = false)
  static class Nothing {}
}
