package dev.quiver.server.pages;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.Representation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/// The static files of the pages, which are below `page/` on the classpath.
///
/// A path has the hash of all files, so that every response may be kept for ever, and modules
/// import each other by relative paths. A name is a path below `page/`, such as `grid/grid.js`.
public final class Assets {

  private static final String FOLDER = "/dev/quiver/server/pages/page/";
  private static final String PATTERN = "classpath*:" + FOLDER + "**/*.*";
  private static final int HASH_DIGITS = 24;

  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "css", "text/css;charset=UTF-8",
          "js", "text/javascript;charset=UTF-8",
          "svg", "image/svg+xml");

  private static final SequencedMap<String, byte[]> FILES = read();
  private static final String HASH = digest();
  private static final Map<String, Representation> REPRESENTATIONS = represent();

  private Assets() {}

  /// Returns the hash of all files, by which a page that names them differs from one of another
  /// release.
  public static String hash() {
    return HASH;
  }

  /// Returns the path of a file.
  public static String path(String name) {
    if (!REPRESENTATIONS.containsKey(name)) {
      throw new IllegalArgumentException("Expected an asset but found " + name);
    }
    return "%s/%s/%s".formatted(Paths.ASSETS, HASH, name);
  }

  /// Returns the bytes of a file.
  public static byte[] content(String name) {
    return Objects.requireNonNull(FILES.get(name), name).clone();
  }

  /// Returns the file that a path names, or null if absent.
  static @Nullable Representation find(String hash, String name) {
    return hash.equals(HASH) ? REPRESENTATIONS.get(name) : null;
  }

  private static SequencedMap<String, byte[]> read() {
    SequencedMap<String, byte[]> files = new TreeMap<>();
    try {
      for (Resource resource : new PathMatchingResourcePatternResolver().getResources(PATTERN)) {
        String url = resource.getURL().toString();
        String name = url.substring(url.lastIndexOf(FOLDER) + FOLDER.length());
        if (MEDIA_TYPES.containsKey(suffix(name))) {
          files.put(name, resource.getContentAsByteArray());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static String digest() {
    MessageDigest digest = Sha256.begin();
    FILES.forEach((name, content) -> {
      digest.update((name + " " + content.length + "\n").getBytes(StandardCharsets.UTF_8));
      digest.update(content);
    });
    return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_DIGITS);
  }

  private static Map<String, Representation> represent() {
    return FILES.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, file -> representation(file.getKey(), file.getValue())));
  }

  private static Representation representation(String name, byte[] content) {
    return new Representation(
            Objects.requireNonNull(MEDIA_TYPES.get(suffix(name))),
            new EntityTag(false, HASH),
            Instant.EPOCH,
            /* immutable= */ true,
            Map.of(),
            new BodySource.Static(content))
        .asText();
  }

  private static String suffix(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
