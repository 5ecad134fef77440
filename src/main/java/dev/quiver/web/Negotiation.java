package dev.quiver.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;

/// Chooses a representation by `Accept`: RFC 9110 §12.5.1.
final class Negotiation {

  private Negotiation() {}

  /// The offer that the client likes best, and the first of those that it likes equally.
  ///
  /// @param mediaType of an offer
  /// @throws ProblemException 406, with the offers, when it takes none of them
  static <T> T choose(HttpServletRequest request, List<T> offers, Function<T, String> mediaType) {
    List<MediaType> ranges = accepted(request);
    T best = null;
    double bestQuality = 0;
    for (T offer : offers) {
      double quality = quality(MediaType.parseMediaType(mediaType.apply(offer)), ranges);
      if (quality > bestQuality) {
        best = offer;
        bestQuality = quality;
      }
    }
    if (best == null) {
      throw notAcceptable(ranges, offers.stream().map(mediaType).toList());
    }
    return best;
  }

  /// The media ranges of all lines; what is not one is ignored.
  private static List<MediaType> accepted(HttpServletRequest request) {
    List<MediaType> ranges = new ArrayList<>();
    for (String line : Collections.list(request.getHeaders("Accept"))) {
      for (String element : MimeTypeUtils.tokenize(line)) {
        try {
          ranges.add(MediaType.parseMediaType(element));
        } catch (InvalidMediaTypeException ignored) {
          continue;
        }
      }
    }
    return ranges.isEmpty() ? List.of(MediaType.ALL) : ranges;
  }

  /// The quality of the most specific range that includes `offer`.
  private static double quality(MediaType offer, List<MediaType> ranges) {
    int specificity = -1;
    double quality = 0;
    for (MediaType range : ranges) {
      int candidate = range.isWildcardType() ? 0 : range.isWildcardSubtype() ? 1 : 2;
      if (candidate > specificity && range.includes(offer)) {
        specificity = candidate;
        quality = range.getQualityValue();
      }
    }
    return quality;
  }

  private static ProblemException notAcceptable(List<MediaType> ranges, List<String> offers) {
    String found = ranges.stream().map(MediaType::toString).collect(Collectors.joining(", "));
    return Problem.of(
            ProblemType.NOT_ACCEPTABLE,
            "Expected " + String.join(" or ", offers) + " but found " + found + " at header Accept")
        .with("available", offers)
        .asException();
  }
}
