package dev.quiver.server.http;

import dev.quiver.formats.Format;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;

/// The `Accept` header: RFC 9110 §12.5.1.
///
/// Spring's `MediaType` parses a range, but ignores parameters when it tests inclusion.
///
/// If several ranges include a media type, the most specific one applies, and among equals the one
/// of the highest quality. A parameter that the media type lacks makes a range slightly less
/// specific. A parameter with a different value excludes the media type.
///
/// `codecs` is not such a parameter: it lists the buffer codecs that a client can decode. Every
/// client can read uncompressed buffers.
///
/// All names of a format are accepted as aliases of the one that its responses have.
public record MediaRanges(List<MediaType> ranges) {

  private static final String CODECS = "codecs";
  private static final Set<String> NOT_COMPARED = Set.of("q", CODECS);

  public MediaRanges {
    ranges = List.copyOf(ranges);
  }

  /// Parses all header lines. Elements that are not media ranges are ignored.
  public static MediaRanges of(HttpServletRequest request) {
    List<MediaType> ranges = new ArrayList<>();
    for (String line : Collections.list(request.getHeaders("Accept"))) {
      for (String element : MimeTypeUtils.tokenize(line)) {
        try {
          ranges.add(byOurName(MediaType.parseMediaType(element)));
        } catch (InvalidMediaTypeException ignored) {
          continue;
        }
      }
    }
    return new MediaRanges(ranges.isEmpty() ? List.of(MediaType.ALL) : ranges);
  }

  private static MediaType byOurName(MediaType range) {
    Format format = Format.ofMediaType(range.getType() + "/" + range.getSubtype());
    return format == null
        ? range
        : new MediaType(
            MediaType.parseMediaType(format.mediaTypes().getFirst()), range.getParameters());
  }

  /// Returns the quality of a media type, from 0 for unacceptable to 1.
  double quality(String mediaType) {
    return mostSpecific(MediaType.parseMediaType(mediaType)).stream()
        .mapToDouble(MediaType::getQualityValue)
        .max()
        .orElse(0);
  }

  /// Returns the codecs that the client can decode in the buffers of a media type, in lower case.
  public Set<String> codecs(String mediaType) {
    double quality = quality(mediaType);
    Set<String> codecs = new LinkedHashSet<>();
    for (MediaType range : mostSpecific(MediaType.parseMediaType(mediaType))) {
      if (range.getQualityValue() == quality) {
        codecs.addAll(listedCodecs(range));
      }
    }
    return codecs;
  }

  private List<MediaType> mostSpecific(MediaType type) {
    List<MediaType> found = new ArrayList<>();
    int best = 0;
    for (MediaType range : ranges) {
      int specificity = specificity(range, type);
      if (specificity > best) {
        best = specificity;
        found.clear();
      }
      if (specificity > 0 && specificity == best) {
        found.add(range);
      }
    }
    return found;
  }

  /// Returns how specifically `range` includes `type`, or 0 if it does not.
  private static int specificity(MediaType range, MediaType type) {
    boolean rejectsCodecs = range.getQualityValue() == 0 && !listedCodecs(range).isEmpty();
    if (rejectsCodecs || !range.includes(type)) {
      return 0;
    }
    if (range.isWildcardType()) {
      return 1;
    }
    if (range.isWildcardSubtype()) {
      return 2;
    }
    int specificity = 4;
    for (Map.Entry<String, String> parameter : range.getParameters().entrySet()) {
      if (NOT_COMPARED.contains(parameter.getKey().toLowerCase(Locale.ROOT))) {
        continue;
      }
      String value = type.getParameter(parameter.getKey());
      if (value == null) {
        return 3;
      }
      if (!unquoted(value).equalsIgnoreCase(unquoted(parameter.getValue()))) {
        return 0;
      }
      specificity++;
    }
    return specificity;
  }

  private static List<String> listedCodecs(MediaType range) {
    List<String> codecs = new ArrayList<>();
    String list = range.getParameter(CODECS);
    for (String codec : list == null ? new String[0] : unquoted(list).split(",")) {
      if (!codec.isBlank()) {
        codecs.add(codec.strip().toLowerCase(Locale.ROOT));
      }
    }
    return codecs;
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  @Override
  public String toString() {
    return ranges.stream().map(MediaType::toString).collect(Collectors.joining(", "));
  }
}
