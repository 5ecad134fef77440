package dev.quiver.server.resource;

import dev.quiver.formats.Format;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;

/// The `Link` header of a dataset's representations: RFC 8288.
///
/// It links to the schema and the batches, and to the same columns and rows in the other formats.
/// It also has the `latest-version` (RFC 5829): from a name to the version it currently refers to,
/// and from a version to the name.
public final class LinkHeader {

  /// Links with longer queries are omitted: there are up to nine links, and clients and Tomcat
  /// accept headers of 8 KiB.
  private static final int QUERY_CHARACTER_LIMIT = 256;

  private LinkHeader() {}

  /// @param query the query of the request, for links to the same columns and rows
  public static String of(
      DatasetReference reference, VersionSummary summary, Format representation, String query) {
    String pinned = DatasetPath.pinned(summary);
    StringBuilder links = new StringBuilder();
    links.append('<').append(pinned).append("/schema>; rel=\"describedby\"");
    links.append(", <").append(pinned).append("/batches>; rel=\"index\"");
    if (query.length() > QUERY_CHARACTER_LIMIT) {
      return links.toString();
    }
    for (Format format : Format.NEGOTIATED) {
      if (format != representation) {
        links.append(", <").append(pinned).append(format.suffix()).append(query);
        links
            .append(">; rel=\"alternate\"; type=\"")
            .append(format.mediaTypes().getFirst())
            .append('"');
      }
    }
    String latest = reference.version() == null ? pinned : DatasetPath.of(reference.name());
    links.append(", <").append(latest).append(representation.suffix()).append(query);
    return links.append(">; rel=\"latest-version\"").toString();
  }
}
