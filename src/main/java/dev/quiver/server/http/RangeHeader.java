package dev.quiver.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The `Range` header: RFC 9110 §14.2.
///
/// A header with another unit or invalid syntax is ignored. Only a range outside the representation
/// is an error.
///
/// Spring's `HttpRange` throws for ignored headers, so its `Resource` support responds with a 416
/// where RFC 9110 requires the whole representation.
public record RangeHeader(List<Spec> specs) {

  /// An absent or ignored range.
  public static final RangeHeader NONE = new RangeHeader(List.of());

  /// A request with more ranges or more overlaps gets the whole representation. RFC 9110 §14.2
  /// names both as signs of an attack.
  private static final int MAXIMUM_RANGES = 64;

  private static final int MAXIMUM_OVERLAPS = 2;

  /// For smaller gaps between ranges, sending the gap is cheaper than a part header.
  private static final long COALESCED_GAP_BYTES = 80;

  private static final Pattern SPEC = Pattern.compile("(\\d*)-(\\d*)");

  /// One range as requested. A suffix has no first byte, and `last` is its length.
  public record Spec(@Nullable Long first, @Nullable Long last) {}

  /// The bytes to send.
  public sealed interface RangeSelection {}

  /// The whole representation, with status 200.
  public record Whole() implements RangeSelection {}

  /// At least one part, in the requested order, with status 206.
  public record Parts(List<HttpRange> ranges) implements RangeSelection {}

  /// No part: status 416.
  public record Unsatisfiable() implements RangeSelection {}

  public RangeHeader {
    specs = List.copyOf(specs);
  }

  /// Parses the value of a `Range` header, or null if it is absent.
  public static RangeHeader parse(@Nullable String value) {
    if (value == null) {
      return NONE;
    }
    int equals = value.indexOf('=');
    if (equals < 0 || !value.substring(0, equals).toLowerCase(Locale.ROOT).equals("bytes")) {
      return NONE;
    }
    List<Spec> specs = new ArrayList<>();
    for (String element : value.substring(equals + 1).split(",", -1)) {
      String text = element.strip();
      // RFC 9110 §5.6.1 requires recipients to ignore empty list elements.
      if (!text.isEmpty()) {
        Spec spec = parseSpec(text);
        if (spec == null) {
          return NONE;
        }
        specs.add(spec);
      }
    }
    return specs.size() > MAXIMUM_RANGES ? NONE : new RangeHeader(specs);
  }

  private static @Nullable Spec parseSpec(String text) {
    Matcher matcher = SPEC.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    Long first = number(matcher.group(1));
    Long last = number(matcher.group(2));
    boolean empty = first == null && last == null;
    boolean reversed = first != null && last != null && last < first;
    return empty || reversed ? null : new Spec(first, last);
  }

  /// Parses a number of any length. Numbers above 2⁶³−1 become 2⁶³−1, which is past the end of
  /// every representation, too.
  private static @Nullable Long number(String digits) {
    if (digits.isEmpty()) {
      return null;
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException overflow) {
      return Long.MAX_VALUE;
    }
  }

  /// Returns the selection of these ranges from a representation of `size` bytes.
  public RangeSelection select(long size) {
    if (specs.isEmpty()) {
      return new Whole();
    }
    List<HttpRange> satisfiable = new ArrayList<>();
    for (Spec spec : specs) {
      HttpRange range = resolve(spec, size);
      if (range != null) {
        satisfiable.add(range);
      }
    }
    if (satisfiable.isEmpty()) {
      return new Unsatisfiable();
    }
    if (overlaps(satisfiable) > MAXIMUM_OVERLAPS) {
      return new Whole();
    }
    return new Parts(coalesce(satisfiable));
  }

  private static @Nullable HttpRange resolve(Spec spec, long size) {
    if (spec.first() == null) {
      long suffix = spec.last() == null ? 0 : Math.min(spec.last(), size);
      return suffix == 0 ? null : new HttpRange(size - suffix, size - 1);
    }
    if (spec.first() >= size) {
      return null;
    }
    long last = spec.last() == null ? size - 1 : Math.min(spec.last(), size - 1);
    return new HttpRange(spec.first(), last);
  }

  private static int overlaps(List<HttpRange> ranges) {
    int count = 0;
    for (int i = 0; i < ranges.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (ranges.get(i).first() <= ranges.get(j).last()
            && ranges.get(j).first() <= ranges.get(i).last()) {
          count++;
        }
      }
    }
    return count;
  }

  /// Joins ranges that overlap or nearly touch, in the order of the request.
  private static List<HttpRange> coalesce(List<HttpRange> ranges) {
    List<HttpRange> joined = new ArrayList<>();
    for (HttpRange range : ranges) {
      HttpRange current = range;
      for (int i = 0; i < joined.size(); i++) {
        HttpRange other = joined.get(i);
        if (current.first() - other.last() <= COALESCED_GAP_BYTES + 1
            && other.first() - current.last() <= COALESCED_GAP_BYTES + 1) {
          current =
              new HttpRange(
                  Math.min(current.first(), other.first()), Math.max(current.last(), other.last()));
          joined.remove(i);
          i = -1;
        }
      }
      joined.add(current);
    }
    return List.copyOf(joined);
  }
}
