package dev.quiver.web.resource;

import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.web.http.ParameterizedValue;

/// The `Link` header of a dataset's representations: RFC 8288.
///
/// What describes it and where its batches lie, the same columns and rows as other types, and its
/// `latest-version` (RFC 5829): of the name the version that it stands for now, of a version the
/// name.
public final class LinkHeader {

  /// Links with longer queries are left out: there are up to seven, and clients and Tomcat take
  /// headers of 8 KiB.
  private static final int QUERY_CHARACTER_LIMIT = 256;

  private LinkHeader() {}

  /// @param query of the request, for the links to what has the same columns and rows
  public static String of(
      DatasetReference reference,
      VersionSummary summary,
      NegotiatedFormat representation,
      String query) {
    String pinned = DatasetPath.pinned(summary);
    StringBuilder links = new StringBuilder();
    links.append('<').append(pinned).append("/schema>; rel=\"describedby\"");
    links.append(", <").append(pinned).append("/batches>; rel=\"index\"");
    if (query.length() > QUERY_CHARACTER_LIMIT) {
      return links.toString();
    }
    for (NegotiatedFormat format : DatasetPath.NEGOTIATED) {
      if (format != representation) {
        String mediaType = ParameterizedValue.withoutParameters(format.mediaType());
        links.append(", <").append(pinned).append(suffix(format)).append(query);
        links.append(">; rel=\"alternate\"; type=\"").append(mediaType).append('"');
      }
    }
    String latest = reference.version() == null ? pinned : DatasetPath.of(reference.name());
    links.append(", <").append(latest).append(suffix(representation)).append(query);
    return links.append(">; rel=\"latest-version\"").toString();
  }

  private static String suffix(NegotiatedFormat format) {
    return switch (format) {
      case DatasetFormat suffixed -> suffixed.suffix();
      case HtmlFormat _, MultipartMixedFormat _ -> "";
    };
  }
}
