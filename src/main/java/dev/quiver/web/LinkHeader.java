package dev.quiver.web;

import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.VersionSummary;
import java.util.ArrayList;
import java.util.List;

/// The `Link` header of a dataset's representations: RFC 8288.
///
/// What describes it and where its batches lie, the same columns and rows as other types, and its
/// `latest-version` (RFC 5829): of the name the version that it stands for now, of a version the
/// name.
final class LinkHeader {

  /// Links with longer queries are left out: there are up to seven, and clients and Tomcat take
  /// headers of 8 KiB.
  private static final int QUERY_CHARACTER_LIMIT = 256;

  private LinkHeader() {}

  /// @param query of the request, for the links to what has the same columns and rows
  static String of(
      DatasetReference reference,
      VersionSummary summary,
      NegotiatedFormat representation,
      String query) {
    String pinned = DatasetPath.pinned(summary);
    List<String> links = new ArrayList<>();
    links.add("<%s/schema>; rel=\"describedby\"".formatted(pinned));
    links.add("<%s/batches>; rel=\"index\"".formatted(pinned));
    if (query.length() > QUERY_CHARACTER_LIMIT) {
      return String.join(", ", links);
    }
    for (NegotiatedFormat format : DatasetPath.NEGOTIATED) {
      if (format != representation) {
        links.add(
            "<%s>; rel=\"alternate\"; type=\"%s\""
                .formatted(
                    pinned + suffix(format) + query, UploadFormat.mediaType(format.mediaType())));
      }
    }
    String latest = reference.version() == null ? pinned : DatasetPath.of(reference.name());
    links.add("<%s>; rel=\"latest-version\"".formatted(latest + suffix(representation) + query));
    return String.join(", ", links);
  }

  private static String suffix(NegotiatedFormat format) {
    return switch (format) {
      case DatasetFormat suffixed -> suffixed.suffix();
      case PageFormat _, MixedFormat _ -> "";
    };
  }
}
