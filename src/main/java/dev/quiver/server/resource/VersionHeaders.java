package dev.quiver.server.resource;

import dev.quiver.formats.Format;
import dev.quiver.server.http.PublicPath;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The headers that say which version a response is about.
///
/// `Quiver-Version` has its number. For a name, `Content-Location` (RFC 9110 §8.7) has the URL of
/// the same representation of that version, from which a download can be resumed: the name may
/// stand for another version by then.
public final class VersionHeaders {

  public static final String VERSION = "Quiver-Version";
  public static final String LOCATION = "Content-Location";

  /// URLs with longer queries are omitted: a response's header has at most 8 KiB.
  private static final int QUERY_CHARACTER_LIMIT = 4096;

  /// Links with longer queries are omitted, or with a longer prefix and query: there are about ten
  /// links, and clients and Tomcat accept headers of 8 KiB.
  private static final int LINKED_QUERY_LIMIT = 256;

  private static final Pattern UNENCODED = Pattern.compile("[\"<>\\[\\\\\\]^`{|}]");

  private VersionHeaders() {}

  /// Sets the headers of a response to a GET or HEAD.
  ///
  /// @param reference the requested reference
  /// @param summary the version that it stands for
  public static void set(
      HttpServletRequest request,
      HttpServletResponse response,
      DatasetReference reference,
      VersionSummary summary) {
    setVersion(response, summary);
    String query = query(request);
    if (reference.version() == null && query.length() <= QUERY_CHARACTER_LIMIT) {
      // The path of a name starts with the dataset's path; a suffix or another segment follows.
      String rest = request.getServletPath().substring(DatasetPath.of(reference.name()).length());
      response.setHeader(LOCATION, DatasetPath.pinned(summary) + rest + query);
    }
  }

  /// Sets the header of any response about a version.
  public static void setVersion(HttpServletResponse response, VersionSummary summary) {
    response.setHeader(VERSION, Long.toString(summary.version()));
  }

  /// Returns the query of a request without its link, which permits to read: headers are logged.
  private static String query(HttpServletRequest request) {
    String query = request.getQueryString();
    String kept =
        query == null
            ? ""
            : Arrays.stream(query.split("&"))
                .filter(parameter -> !parameter.startsWith(Paths.LINK_PARAMETER + "="))
                .collect(Collectors.joining("&"));
    return kept.isEmpty() ? "" : "?" + encoded(kept);
  }

  /// Returns a query in which the characters are encoded that a URL does not have, but that the
  /// service accepts: RFC 3986 §3.4.
  private static String encoded(String query) {
    return UNENCODED
        .matcher(query)
        .replaceAll(found -> "%%%02X".formatted((int) found.group().charAt(0)));
  }

  /// Returns the `Link` header of a response to a write: to the version's representations, and to
  /// the versions of the dataset (RFC 5829).
  public static String link(VersionSummary summary) {
    String latest = DatasetPath.of(summary.name());
    StringBuilder links = described(DatasetPath.pinned(summary));
    addAlternates(links, summary, /* representation= */ null, /* query= */ "");
    links.append(", <").append(latest).append(">; rel=\"latest-version\"");
    return links
        .append(", <")
        .append(latest)
        .append("/versions>; rel=\"version-history\"")
        .toString();
  }

  private static StringBuilder described(String pinned) {
    return new StringBuilder()
        .append('<')
        .append(pinned)
        .append("/schema>; rel=\"describedby\"")
        .append(", <")
        .append(pinned)
        .append("/batches>; rel=\"index\"");
  }

  /// Adds links to all representations but one.
  private static void addAlternates(
      StringBuilder links, VersionSummary summary, @Nullable Format representation, String query) {
    String pinned = DatasetPath.pinned(summary);
    for (Format format : Format.NEGOTIATED) {
      if (format != representation) {
        links.append(", <").append(pinned).append(format.suffix()).append(query);
        links
            .append(">; rel=\"alternate\"; type=\"")
            .append(format.mediaTypes().getFirst())
            .append('"');
      }
    }
  }

  /// Returns the `Link` header of a dataset's representations: RFC 8288.
  ///
  /// It links to the schema and the batches, and to the same columns and rows in the other formats.
  /// It also has the `latest-version` (RFC 5829): from a name to the version it currently refers
  /// to, and from a version to the name.
  ///
  /// @param query the query of the request, for links to the same columns and rows
  public static String link(
      DatasetReference reference, VersionSummary summary, Format representation, String query) {
    String pinned = DatasetPath.pinned(summary);
    StringBuilder links = described(pinned);
    if (PublicPath.prefix().length() + query.length() > LINKED_QUERY_LIMIT) {
      return links.toString();
    }
    addAlternates(links, summary, representation, query);
    String latest = reference.version() == null ? pinned : DatasetPath.of(reference.name());
    links.append(", <").append(latest).append(representation.suffix()).append(query);
    return links.append(">; rel=\"latest-version\"").toString();
  }
}
