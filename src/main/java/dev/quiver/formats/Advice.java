package dev.quiver.formats;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A warning about a file, and the option that reads it in another way.
///
/// @param sentence for the client, which names the option
/// @param option the name of a parameter, or null if none helps
/// @param value that of the parameter, ready to be sent
/// @param column whose values the option concerns, or null for the whole file
public record Advice(
    String sentence, @Nullable String option, @Nullable String value, @Nullable String column) {

  /// A warning without an option.
  public Advice(String sentence) {
    this(sentence, /* option= */ null, /* value= */ null, /* column= */ null);
  }

  /// Returns the sentences of warnings.
  public static List<String> sentences(List<Advice> advice) {
    return advice.stream().map(Advice::sentence).toList();
  }
}
