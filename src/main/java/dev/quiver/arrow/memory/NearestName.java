package dev.quiver.arrow.memory;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The existing names that a misspelt one most likely means, for error messages.
public final class NearestName {

  private static final Pattern SEPARATOR = Pattern.compile("[._-]");

  /// The distance of a name from one without one of its words.
  private static final int SURPLUS_WORD = 2;

  /// The length from which equal words relate names.
  private static final int WORD_LENGTH_MINIMUM = 3;

  /// The characters of the longest name that is taken for a misspelt one. Distances take time that
  /// grows with the product of the lengths.
  private static final int LENGTH_MAXIMUM = 200;

  private static final Comparator<Near> NEAREST_FIRST =
      Comparator.comparingInt(Near::distance).thenComparingLong(Near::number);

  private final String misspelt;
  private final String[] words;
  private final int count;

  /// The nearest of the added names, the last one first.
  private final PriorityQueue<Near> nearest = new PriorityQueue<>(NEAREST_FIRST.reversed());

  private long added;

  /// @param number how many names were added before
  private record Near(String name, int distance, long number) {}

  /// @param count the maximum number of names to find
  public NearestName(String misspelt, int count) {
    this.misspelt = misspelt;
    this.words = SEPARATOR.split(misspelt);
    this.count = count;
  }

  /// Adds an existing name.
  public void add(String name) {
    nearest.add(new Near(name, distance(name), added++));
    if (nearest.size() > count) {
      nearest.remove();
    }
  }

  /// Returns the nearest names that were added, the nearest first.
  public List<String> names() {
    return nearest.stream().sorted(NEAREST_FIRST).map(Near::name).toList();
  }

  /// Returns the name with the smallest distance by characters or by words, the first of several. A
  /// missing word counts like one character, so that `footnotes` is near to `include_footnotes`.
  ///
  /// @param names at least one name
  public static String of(String misspelt, Collection<String> names) {
    NearestName nearest = new NearestName(misspelt, 1);
    names.forEach(nearest::add);
    return nearest.names().getFirst();
  }

  /// Returns the nearest name that was probably meant, or null. Of its letters, or of the misspelt
  /// ones, at most half differ, unless words that both have are at least half of the shorter name.
  /// Case is ignored. A name of more than 200 characters is near to none.
  ///
  /// @param names may be empty
  public static @Nullable String near(String misspelt, Collection<String> names) {
    if (misspelt.length() > LENGTH_MAXIMUM) {
      return null;
    }
    String folded = misspelt.toLowerCase(Locale.ROOT);
    NearestName nearest = new NearestName(folded, 1);
    String found = null;
    int least = Integer.MAX_VALUE;
    for (String name : names) {
      String candidate = name.toLowerCase(Locale.ROOT);
      int distance = nearest.distance(candidate);
      if (distance < least && nearest.isNear(candidate)) {
        found = name;
        least = distance;
      }
    }
    return found;
  }

  private boolean isNear(String name) {
    int shorter = Math.min(misspelt.length(), name.length());
    int shared = sharedLetters(name);
    return distance(misspelt, name) <= shorter / 2 || shared > 0 && shared * 2 >= shorter;
  }

  /// Returns the number of letters of the words that a name and the misspelt one have.
  private int sharedLetters(String name) {
    List<String> others = List.of(SEPARATOR.split(name));
    return Arrays.stream(words)
        .filter(word -> word.length() >= WORD_LENGTH_MINIMUM && others.contains(word))
        .distinct()
        .mapToInt(String::length)
        .sum();
  }

  private int distance(String name) {
    int byCharacters = distance(misspelt, name);
    String[] other = SEPARATOR.split(name);
    // A word that is replaced as a whole is not near.
    return words.length == 1 && other.length == 1
        ? byCharacters
        : Math.min(byCharacters, wordDistance(words, other));
  }

  private static int wordDistance(String[] found, String[] expected) {
    int[] previous = new int[expected.length + 1];
    Arrays.setAll(previous, j -> j);
    for (String word : found) {
      int[] current = new int[expected.length + 1];
      current[0] = previous[0] + SURPLUS_WORD;
      for (int j = 1; j <= expected.length; j++) {
        int replaced = previous[j - 1] + distance(word, expected[j - 1]);
        int missing = current[j - 1] + 1;
        current[j] = Math.min(replaced, Math.min(missing, previous[j] + SURPLUS_WORD));
      }
      previous = current;
    }
    return previous[expected.length];
  }

  /// Returns the number of characters to insert, to remove, to replace or to exchange with their
  /// neighbours until one text is the other: the optimal string alignment distance.
  private static int distance(String a, String b) {
    int[] beforePrevious = new int[b.length() + 1];
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          current[j] = Math.min(current[j], beforePrevious[j - 2] + 1);
        }
      }
      beforePrevious = previous;
      previous = current;
    }
    return previous[b.length()];
  }
}
