package dev.quiver.server.http;

import jakarta.servlet.ServletRequest;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/// Paths of the service as the client of the current request knows them: below a prefix that a
/// proxy, or the service itself, has removed from the path of the request. The paths of requests
/// and of all code have no prefix, and only what is sent to a client has it.
///
/// The prefix is bound to the thread of the request, which renders headers, documents and pages.
public final class PublicPath {

  private static final ScopedValue<String> PREFIX = ScopedValue.newInstance();

  private static final Pattern LINK_IN_PAGE = Pattern.compile("((?: href| src)=\")/");

  /// Paths that lower tiers, which know no prefix, name in sentences.
  private static final Pattern PATH_IN_SENTENCE = Pattern.compile("(?<= )/(?=(?:sql|datasets)\\b)");

  /// The attribute of a request with the prefix that the service has removed from its path.
  private static final String REMOVED = PublicPath.class.getName() + ".removed";

  /// The attribute of a request with the prefix of paths in its response.
  private static final String FOUND = PublicPath.class.getName() + ".found";

  private PublicPath() {}

  /// Notes the prefix that the service has removed from the path of a request.
  public static void removedFrom(ServletRequest request, String prefix) {
    request.setAttribute(REMOVED, prefix);
  }

  /// Returns the prefix that the service has removed from the path of a request, or null if it had
  /// none.
  public static @Nullable String removed(ServletRequest request) {
    return (String) request.getAttribute(REMOVED);
  }

  /// Returns the prefix of paths in the response to the current request, or empty.
  public static String prefix() {
    return PREFIX.orElse("");
  }

  /// Handles a request of a client that knows the service below a prefix.
  public static <X extends Throwable> void below(
      ServletRequest request,
      String prefix,
      ScopedValue.CallableOp<? extends @Nullable Object, X> work)
      throws X {
    request.setAttribute(FOUND, prefix);
    ScopedValue.where(PREFIX, prefix).call(work);
  }

  /// Renders for a client after its request was handled, or where it never was.
  static <T> T again(ServletRequest request, Supplier<T> rendering) {
    if (PREFIX.isBound()) {
      return rendering.get();
    }
    Object found = request.getAttribute(FOUND);
    String removed = removed(request);
    String prefix = found instanceof String noted ? noted : removed == null ? "" : removed;
    return ScopedValue.where(PREFIX, prefix).call(rendering::get);
  }

  /// Returns a page whose links have the prefix.
  ///
  /// @param html a page whose texts have no unescaped quotes, so that only its own links match
  public static String inPage(String html) {
    String prefix = prefix();
    return prefix.isEmpty() ? html : LINK_IN_PAGE.matcher(html).replaceAll("$1" + prefix + "/");
  }

  /// Returns a sentence in which the paths of statements and datasets have the prefix.
  public static String inSentence(String sentence) {
    String prefix = prefix();
    return prefix.isEmpty()
        ? sentence
        : PATH_IN_SENTENCE.matcher(sentence).replaceAll(prefix + "/");
  }

  /// Writes paths of the service in JSON documents.
  public static final class Serializer extends StdSerializer<String> {

    /// Creates a serializer for Jackson.
    public Serializer() {
      super(String.class);
    }

    @Override
    public void serialize(String path, JsonGenerator generator, SerializationContext context) {
      generator.writeString(prefix() + path);
    }
  }
}
