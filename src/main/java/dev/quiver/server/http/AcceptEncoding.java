package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The `Accept-Encoding` header: RFC 9110 §12.5.3.
///
/// Tomcat's parser drops the codings that a client rejects with `q=0`, and Spring has no parser.
/// With `*`, only the rejected codings show what may be sent.
///
/// @param qualities the qualities of the listed codings, in lower case, and of `*`
public record AcceptEncoding(Map<String, Double> qualities) {

  private static final Pattern ELEMENT =
      Pattern.compile(
          "\\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)"
              + "\\s*(?:;\\s*[qQ]\\s*=\\s*(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?)\\s*)?");

  private static final List<ResponseCoding> CODINGS =
      List.of(ResponseCoding.ZSTD, ResponseCoding.GZIP);

  /// Parses all header lines. Elements that are not codings are ignored.
  public static AcceptEncoding of(HttpServletRequest request) {
    Map<String, Double> qualities = new LinkedHashMap<>();
    for (String line : Collections.list(request.getHeaders("Accept-Encoding"))) {
      for (String element : line.split(",")) {
        Matcher matcher = ELEMENT.matcher(element);
        if (matcher.matches()) {
          String quality = matcher.group(2);
          qualities.put(
              name(matcher.group(1)), quality == null ? 1.0 : Double.parseDouble(quality));
        }
      }
    }
    return new AcceptEncoding(Collections.unmodifiableMap(qualities));
  }

  private static String name(String token) {
    String name = token.toLowerCase(Locale.ROOT);
    return name.equals("x-gzip") ? ResponseCoding.GZIP.token() : name;
  }

  /// Returns the coding to send a body in.
  ///
  /// @param ranged whether the request asks for a range, which always refers to the unencoded body
  /// @throws ProblemException 406 if the client accepts none of the available codings
  public ResponseCoding choose(CodingPolicy policy, boolean ranged) {
    List<ResponseCoding> candidates =
        switch (policy) {
          case NEVER -> List.of();
          case ARROW -> List.of(ResponseCoding.ZSTD);
          case TEXT -> CODINGS;
        };
    ResponseCoding best = ResponseCoding.IDENTITY;
    double bestQuality = qualities.getOrDefault(best.token(), 0.0);
    for (ResponseCoding coding : ranged ? List.<ResponseCoding>of() : candidates) {
      double quality = qualities.getOrDefault(coding.token(), 0.0);
      boolean first = best == ResponseCoding.IDENTITY;
      if (quality > 0 && (first ? quality >= bestQuality : quality > bestQuality)) {
        best = coding;
        bestQuality = quality;
      }
    }
    return best != ResponseCoding.IDENTITY || acceptsIdentity() ? best : withoutIdentity(policy);
  }

  /// Returns whether the client accepts an unencoded body, which it does unless it says otherwise.
  public boolean acceptsIdentity() {
    return qualities.getOrDefault(ResponseCoding.IDENTITY.token(), qualities.getOrDefault("*", 1.0))
        > 0;
  }

  private ResponseCoding withoutIdentity(CodingPolicy policy) {
    ResponseCoding best = null;
    double bestQuality = 0;
    for (ResponseCoding coding :
        policy == CodingPolicy.NEVER ? List.<ResponseCoding>of() : CODINGS) {
      double quality = qualities.getOrDefault(coding.token(), qualities.getOrDefault("*", 0.0));
      if (quality > bestQuality) {
        best = coding;
        bestQuality = quality;
      }
    }
    if (best != null) {
      return best;
    }
    if (policy != CodingPolicy.NEVER
        && qualities.getOrDefault(ResponseCoding.BROTLI.token(), 0.0) > 0) {
      return ResponseCoding.BROTLI;
    }
    throw notAcceptable(policy);
  }

  private ProblemException notAcceptable(CodingPolicy policy) {
    List<String> available =
        policy == CodingPolicy.NEVER
            ? List.of("identity")
            : List.of("identity", "zstd", "gzip", "br");
    return Problem.of(
            ProblemType.NOT_ACCEPTABLE,
            "Expected %s but found %s at header Accept-Encoding"
                .formatted(String.join(" or ", available), this))
        .withHint("Leave out Accept-Encoding, or add %s to it.".formatted(available.getLast()))
        .with("available", available)
        .asException();
  }

  /// Returns the value as in a header.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    qualities.forEach((coding, quality) ->
        text.append(text.isEmpty() ? "" : ", ")
            .append(coding)
            .append(quality == 1 ? "" : ";q=" + (quality == 0 ? "0" : quality)));
    return text.toString();
  }
}
