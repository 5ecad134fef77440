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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/// The static files of the pages, which are below `page/` on the classpath.
///
/// A path has the hash of all files, so that every response may be kept for ever, and modules
/// import each other by relative paths. A name is a path below `page/`, such as `grid/grid.js`.
/// Where the folder of the hash also names a page, [PageScripts] joins the modules for it.
public final class Assets {

  private static final String FOLDER = "/dev/quiver/server/pages/page/";
  private static final String PATTERN = "classpath*:" + FOLDER + "**/*.*";
  private static final int HASH_DIGITS = 24;

  /// The number of the form of joined scripts, which is raised when it changes.
  private static final int JOINED_FORM = 1;

  private static final Pattern PAGE = Pattern.compile("\\w+/([a-z]+-page)\\.js");

  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "css", "text/css;charset=UTF-8",
          "js", "text/javascript;charset=UTF-8",
          "svg", "image/svg+xml");

  private static final SequencedMap<String, byte[]> FILES = read();
  private static final String HASH = digest();
  private static final Map<String, Representation> REPRESENTATIONS = represent();
  private static final PageScripts SCRIPTS = scripts();
  private static final Map<String, String> PAGES = pages();

  /// The joined scripts that were requested, by folder and name.
  private static final Map<String, Representation> JOINED = new ConcurrentHashMap<>();

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

  /// Returns the path of the script of a page.
  static String scriptPath(String name) {
    return "%s/%s/%s".formatted(Paths.ASSETS, folder(name), name);
  }

  /// Returns the paths of the libraries that the script of a page imports.
  static List<String> libraryPaths(String name) {
    return SCRIPTS.libraries(name).stream().map(Assets::path).toList();
  }

  /// Returns the bytes of a file.
  public static byte[] content(String name) {
    return Objects.requireNonNull(FILES.get(name), name).clone();
  }

  /// Returns the file that a path names, or null if absent.
  ///
  /// @param folder the hash, or the folder of a page
  static @Nullable Representation find(String folder, String name) {
    String page = PAGES.get(folder);
    if (page == null) {
      return folder.equals(HASH) ? REPRESENTATIONS.get(name) : null;
    }
    return SCRIPTS.has(name)
        ? JOINED.computeIfAbsent(folder + "/" + name, _ -> joined(page, name))
        : REPRESENTATIONS.get(name);
  }

  private static Representation joined(String page, String name) {
    String script = SCRIPTS.script(page, name, "../../" + HASH + "/");
    return representation(name, script.getBytes(StandardCharsets.UTF_8));
  }

  private static PageScripts scripts() {
    Map<String, ScriptModule> modules = new TreeMap<>();
    FILES.forEach((name, content) -> {
      if (name.endsWith(".js") && !name.startsWith(PageScripts.LIBRARIES)) {
        modules.put(name, ScriptModule.parse(name, new String(content, StandardCharsets.UTF_8)));
      }
    });
    return new PageScripts(modules);
  }

  private static Map<String, String> pages() {
    return FILES.keySet().stream()
        .filter(PAGE.asMatchPredicate())
        .collect(Collectors.toUnmodifiableMap(Assets::folder, name -> name));
  }

  /// Returns the folder of the modules of a page.
  private static String folder(String page) {
    Matcher matcher = PAGE.matcher(page);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Expected a module of a page but found " + page);
    }
    return HASH + "-" + matcher.group(1);
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
    digest.update((byte) JOINED_FORM);
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
