package dev.quiver.server.http;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/// Paths of the service as the client of the current request knows them: below the prefix that a
/// trusted proxy has removed from the path of the request.
///
/// The prefix is bound to the thread of the request, which renders headers, documents and pages.
public final class PublicPath {

  private static final ScopedValue<String> PREFIX = ScopedValue.newInstance();

  private static final Pattern LINK_IN_PAGE = Pattern.compile("((?: href| src)=\")/");

  private PublicPath() {}

  /// Returns the prefix of paths in the response to the current request, or empty.
  public static String prefix() {
    return PREFIX.orElse("");
  }

  /// Handles a request of a client that knows the service below a prefix.
  public static <X extends Throwable> void below(
      String prefix, ScopedValue.CallableOp<? extends @Nullable Object, X> work) throws X {
    ScopedValue.where(PREFIX, prefix).call(work);
  }

  /// Returns a page whose links have the prefix.
  ///
  /// @param html a page whose texts have no unescaped quotes, so that only its own links match
  public static String inPage(String html) {
    String prefix = prefix();
    return prefix.isEmpty() ? html : LINK_IN_PAGE.matcher(html).replaceAll("$1" + prefix + "/");
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
