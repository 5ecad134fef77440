package dev.quiver.store.version;

import dev.quiver.formats.FileCoding;
import dev.quiver.formats.Format;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The name of a dataset: 1 to 100 characters from `A-Z a-z 0-9 . _ -`, starting with a letter or
/// digit. The name of a new dataset does not end in the suffix of a representation, in upper or
/// lower case. Those of stored datasets may: some suffixes were reserved later.
///
/// Names are ordered as a store lists them: as if each ended in `_`, with upper-case letters before
/// all other characters.
public record DatasetName(String value) implements Comparable<DatasetName> {

  /// The characters of the longest name.
  public static final int LENGTH_MAXIMUM = 100;

  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /// The suffixes of representations, and others of which some may become one.
  private static final List<String> SUFFIXES =
      Stream.concat(
              Format.SUFFIXED.stream().flatMap(format -> format.suffixes().stream()),
              Stream.of(".html", ".avro", ".zip", ".gz", ".zst"))
          .toList();

  private static final Pattern ACCENTS = Pattern.compile("\\p{M}");
  private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9._-]");
  private static final Pattern BEFORE_FIRST = Pattern.compile("^[^A-Za-z0-9]+");

  /// @throws IllegalArgumentException if `value` is not a valid name
  public DatasetName {
    if (value.isEmpty() || value.length() > LENGTH_MAXIMUM) {
      throw invalid("1 to " + LENGTH_MAXIMUM + " characters", value.length() + " characters");
    }
    if (!ALLOWED.matcher(value).matches()) {
      throw invalid("a letter or digit and then letters, digits, '.', '_' or '-'", quoted(value));
    }
  }

  /// Returns a new name, which no other dataset has.
  public static DatasetName generated() {
    return new DatasetName("ds-" + Ulid.next());
  }

  /// Returns the name under which the write with a key creates a dataset.
  public static DatasetName generated(IdempotencyKey key) {
    return new DatasetName("ds-" + key.hash());
  }

  /// Parses the name of a dataset that may be new.
  ///
  /// @throws IllegalArgumentException with the expected syntax in its message, if `text` is invalid
  public static DatasetName parseNew(String text) {
    DatasetName name = new DatasetName(text);
    if (hasReservedSuffix(text)) {
      throw invalid("a name without the suffix of a representation", quoted(text));
    }
    return name;
  }

  /// Returns the dataset name for a file. It is the path without the suffixes of its format and
  /// coding and without accents, from the first letter or digit on. `.` replaces `/`, and `-`
  /// replaces each other character that names do not allow. If the result still ends in the suffix
  /// of a representation, `-` replaces the `.` of that suffix.
  ///
  /// A file has the same name whether or not its file system composes accents.
  ///
  /// @param path the path of the file, with `/` between its segments
  /// @throws IllegalArgumentException if the result is not a valid name
  public static DatasetName ofFile(String path) {
    Format format = Format.ofName(path);
    String name =
        (format == null ? FileCoding.withoutSuffix(path) : format.withoutSuffix(path))
            .replace('/', '.');
    name = ACCENTS.matcher(Normalizer.normalize(name, Normalizer.Form.NFKD)).replaceAll("");
    name = OTHERS.matcher(name).replaceAll("-");
    name = BEFORE_FIRST.matcher(name).replaceFirst("");
    return new DatasetName(hasReservedSuffix(name) ? withDashInSuffix(name) : name);
  }

  /// Returns whether a text ends in a suffix that names of new datasets do not end in.
  public static boolean hasReservedSuffix(String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    return SUFFIXES.stream().anyMatch(lowerCase::endsWith);
  }

  /// Returns whether a name may start with `text`, which may be empty.
  public static boolean mayStartWith(String text) {
    return text.length() <= LENGTH_MAXIMUM && (text.isEmpty() || ALLOWED.matcher(text).matches());
  }

  /// Returns characters of names in lower case: each upper-case letter is written as `!` and its
  /// lower case.
  public static String inLowerCase(String characters) {
    StringBuilder written = new StringBuilder();
    for (char c : characters.toCharArray()) {
      if (c >= 'A' && c <= 'Z') {
        written.append('!').append((char) (c + ('a' - 'A')));
      } else {
        written.append(c);
      }
    }
    return written.toString();
  }

  /// Returns the characters that [#inLowerCase] wrote so.
  public static String inOriginalCase(String written) {
    StringBuilder characters = new StringBuilder();
    for (int i = 0; i < written.length(); i++) {
      char c = written.charAt(i);
      boolean isUpperCase = c == '!' && i + 1 < written.length();
      characters.append(isUpperCase ? Character.toUpperCase(written.charAt(++i)) : c);
    }
    return characters.toString();
  }

  /// Returns the name as a segment of a store's keys. Names that differ only in case differ here in
  /// more, and no name is one that a file system reserves.
  public String segment() {
    return "_" + inLowerCase(value) + "_";
  }

  @Override
  public int compareTo(DatasetName other) {
    return (segment() + "/").compareTo(other.segment() + "/");
  }

  private static String withDashInSuffix(String name) {
    int dot = name.lastIndexOf('.');
    return name.substring(0, dot) + "-" + name.substring(dot + 1);
  }

  @Override
  public String toString() {
    return value;
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }

  private static IllegalArgumentException invalid(String expected, String found) {
    return new IllegalArgumentException(
        "Expected " + expected + " but found " + found + " at the name of a dataset");
  }
}
