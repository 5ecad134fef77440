package dev.quiver.server.resource;

import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

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

  private static String query(HttpServletRequest request) {
    String query = request.getQueryString();
    return query == null ? "" : "?" + query;
  }
}
