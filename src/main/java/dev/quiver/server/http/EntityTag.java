package dev.quiver.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An entity tag: RFC 9110 §8.8.3. Spring's `ETag` accepts `*` as a tag, and anything between
/// quotes.
///
/// Our own tags are strong, and stable across restarts and replicas. The tag of the stored file is
/// `"<commit id>.<version>"`; for every other representation, its [TagVariant] follows.
///
/// @param weak whether the tag has the prefix `W/`
/// @param value the characters between the quotes
public record EntityTag(boolean weak, String value) {

  private static final Pattern SYNTAX =
      Pattern.compile("(W/)?\"([\\x21\\x23-\\x7E\\x80-\\xFF]*)\"");

  /// Returns the tag of a version's stored file, as `If-Match` expects it.
  ///
  /// @param versionId `<commit id>.<version>`
  public static EntityTag of(String versionId) {
    return new EntityTag(false, versionId);
  }

  /// Returns this tag with a further variant.
  public EntityTag with(TagVariant variant) {
    return variant.equals(TagVariant.STORED_FILE)
        ? this
        : new EntityTag(weak, value + "." + variant.text());
  }

  /// Parses a single tag, as in `If-Range`.
  ///
  /// @return the tag, or null if invalid
  static @Nullable EntityTag parse(String text) {
    Matcher matcher = SYNTAX.matcher(text.strip());
    return matcher.matches() ? new EntityTag(matcher.group(1) != null, matcher.group(2)) : null;
  }

  /// Returns the tags of a list, in order. Invalid tags cannot match and are omitted.
  static List<EntityTag> parseList(String text) {
    List<EntityTag> tags = new ArrayList<>();
    Matcher matcher = SYNTAX.matcher(text);
    while (matcher.find()) {
      tags.add(new EntityTag(matcher.group(1) != null, matcher.group(2)));
    }
    return List.copyOf(tags);
  }

  /// Compares strongly, for `If-Match` and `If-Range`: RFC 9110 §8.8.3.2.
  boolean matchesStrongly(EntityTag other) {
    return !weak && !other.weak && value.equals(other.value);
  }

  /// Compares weakly, for `If-None-Match`: RFC 9110 §8.8.3.2.
  boolean matchesWeakly(EntityTag other) {
    return value.equals(other.value);
  }

  /// Returns the commit id, if this is one of our tags. Preconditions of writes compare only the
  /// commit id.
  public String commitId() {
    int dot = value.indexOf('.');
    return dot < 0 ? value : value.substring(0, dot);
  }

  /// Returns the tag as in a header.
  @Override
  public String toString() {
    return (weak ? "W/\"" : "\"") + value + "\"";
  }
}
