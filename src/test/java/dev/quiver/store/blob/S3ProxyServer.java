package dev.quiver.store.blob;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An S3 server on a free port, started once for all tests of a JVM. It accepts any credentials but
/// requires some.
public final class S3ProxyServer {

  private static final Path JAR =
      Path.of(System.getProperty("s3proxy.jar", "target/s3proxy/s3proxy.jar"));
  private static final Pattern STARTED = Pattern.compile("\\{127\\.0\\.0\\.1:(\\d+)}");

  private static @Nullable URI endpoint;
  private static Path buckets = Path.of("");

  private S3ProxyServer() {}

  /// Returns the URL of the server, started on the first call.
  public static synchronized URI endpoint() {
    URI started = endpoint;
    if (started == null) {
      try {
        started = start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      endpoint = started;
    }
    return started;
  }

  /// Creates an empty bucket.
  public static String newBucket() {
    String name = "test-" + UUID.randomUUID();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(endpoint().resolve("/" + name))
              .PUT(BodyPublishers.noBody())
              .build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IllegalStateException("Expected a bucket but found " + response.body());
      }
      return name;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns the file in which the server keeps an object.
  public static Path file(String bucket, String key) {
    return buckets.resolve(bucket).resolve(key);
  }

  /// Returns the options of a store on a bucket of this server.
  public static S3Options options(String bucket, Path cache, long cacheByteSize) {
    return options(endpoint(), bucket, cache, cacheByteSize);
  }

  static S3Options options(URI endpoint, String bucket, Path cache, long cacheByteSize) {
    return new S3Options(
        bucket, endpoint, "", "", true, S3Options.Checksums.WHEN_REQUIRED, cache, cacheByteSize);
  }

  private static URI start() throws IOException {
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    if (!Files.exists(JAR)) {
      throw new IllegalStateException(
          "Expected the server but found none at " + JAR + ": mvn process-test-classes");
    }
    Path folder = Files.createTempDirectory("s3proxy-");
    buckets = Files.createDirectory(folder.resolve("buckets"));
    Path configuration = folder.resolve("s3proxy.conf");
    Files.writeString(
        configuration,
        """
        s3proxy.authorization=none
        s3proxy.endpoint=http://127.0.0.1:0
        jclouds.provider=filesystem-nio2
        jclouds.filesystem.basedir=%s
        """
            .formatted(buckets));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toString(),
                "--properties",
                configuration.toString())
            .redirectErrorStream(true)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, folder)));
    BufferedReader output = process.inputReader();
    StringBuilder seen = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      seen.append(line).append('\n');
      Matcher started = STARTED.matcher(line);
      if (started.find()) {
        // A virtual thread would block the only carrier of a machine with one processor.
        Thread.ofPlatform().daemon().start(() -> drain(output));
        return URI.create("http://127.0.0.1:" + started.group(1));
      }
    }
    throw new IllegalStateException("Expected a server but found\n" + seen);
  }

  /// A server stalls if its output is not read.
  private static void drain(BufferedReader output) {
    try {
      output.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // The server has ended.
    }
  }

  private static void stop(Process process, Path folder) {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.toList().reversed()) {
          Files.delete(file);
        }
      }
    } catch (IOException | InterruptedException e) {
      // The folder is temporary anyway.
    }
  }
}
