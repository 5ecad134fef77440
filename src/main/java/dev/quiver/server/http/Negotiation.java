package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.function.Function;

/// Chooses a representation by `Accept`: RFC 9110 §12.5.1.
public final class Negotiation {

  private Negotiation() {}

  /// Returns the offer with the highest quality, the first one among equals. The response then
  /// varies by `Accept`.
  ///
  /// @param mediaType returns the media type of an offer
  /// @throws ProblemException 406, with the offers, if none is acceptable
  public static <T> T choose(
      HttpServletRequest request,
      HttpServletResponse response,
      List<T> offers,
      Function<T, String> mediaType) {
    VaryHeader.add(response, "Accept");
    MediaRanges ranges = MediaRanges.of(request);
    T best = null;
    double bestQuality = 0;
    for (T offer : offers) {
      double quality = ranges.quality(mediaType.apply(offer));
      if (quality > bestQuality) {
        best = offer;
        bestQuality = quality;
      }
    }
    if (best == null) {
      throw notAcceptable(ranges, offers.stream().map(mediaType).distinct().toList()).asException();
    }
    return best;
  }

  /// Returns whether `Accept` gives a media type a higher quality than another.
  public static boolean prefers(HttpServletRequest request, String mediaType, String other) {
    MediaRanges ranges = MediaRanges.of(request);
    return ranges.quality(mediaType) > ranges.quality(other);
  }

  private static Problem notAcceptable(MediaRanges found, List<String> offers) {
    return Problem.of(
            ProblemType.NOT_ACCEPTABLE,
            "Expected " + String.join(" or ", offers) + " but found " + found + " at header Accept")
        .withHint("Send Accept: %s, or leave the header out.".formatted(offers.getFirst()))
        .with("available", offers);
  }
}
