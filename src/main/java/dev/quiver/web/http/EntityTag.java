package dev.quiver.web.http;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An entity tag: RFC 9110 §8.8.3.
///
/// Spring's `ETag` takes `*` for a tag, and anything between quotes.
///
/// Ours are strong and read `"<commit id>.<version>"` for the stored file, with `.<variant>` after
/// it for every other representation, so that they are the same after a restart and on replicas.
///
/// @param weak whether it was written with `W/`
/// @param value what stands between the quotes
public record EntityTag(boolean weak, String value) {

  private static final Pattern SYNTAX =
      Pattern.compile("(W/)?\"([\\x21\\x23-\\x7E\\x80-\\xFF]*)\"");

  /// The tag of a version's file, or with a `variant` of another representation of it.
  public static EntityTag of(String commitId, long version, @Nullable String variant) {
    String file = commitId + "." + version;
    return new EntityTag(false, variant == null ? file : file + "." + variant);
  }

  /// This tag with a further `variant`.
  EntityTag with(String variant) {
    return new EntityTag(weak, value + "." + variant);
  }

  /// A single tag, as in `If-Range`; null when `text` is not one.
  static @Nullable EntityTag parse(String text) {
    Matcher matcher = SYNTAX.matcher(text.strip());
    return matcher.matches() ? new EntityTag(matcher.group(1) != null, matcher.group(2)) : null;
  }

  /// The tags of a list, in order. What is not a tag is left out: it can match nothing.
  static List<EntityTag> parseList(String text) {
    List<EntityTag> tags = new ArrayList<>();
    Matcher matcher = SYNTAX.matcher(text);
    while (matcher.find()) {
      tags.add(new EntityTag(matcher.group(1) != null, matcher.group(2)));
    }
    return List.copyOf(tags);
  }

  /// The strong comparison of RFC 9110 §8.8.3.2: for `If-Match` and `If-Range`.
  boolean matchesStrongly(EntityTag other) {
    return !weak && !other.weak && value.equals(other.value);
  }

  /// The weak comparison of RFC 9110 §8.8.3.2: for `If-None-Match`.
  boolean matchesWeakly(EntityTag other) {
    return value.equals(other.value);
  }

  /// The commit id, when this is one of our tags; preconditions of writes compare it alone.
  public String commitId() {
    int dot = value.indexOf('.');
    return dot < 0 ? value : value.substring(0, dot);
  }

  /// As it stands in a header.
  @Override
  public String toString() {
    return (weak ? "W/\"" : "\"") + value + "\"";
  }
}
