package dev.quiver.server.read;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.formats.Format;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.PublicUrls;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.PartitionsDocument;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.Responder;
import dev.quiver.sql.query.Conditions;
import dev.quiver.store.Datasets;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// A version, or some of its columns and rows, as several streams or files for parallel readers,
/// possibly from several hosts.
///
/// A partition has whole batches, or all their selected rows, so that no batch is read for two of
/// them.
@RestController
final class PartitionsController {

  private static final int DEFAULT_COUNT = 8;
  private static final int MAXIMUM_COUNT = 10_000;

  private final Datasets datasets;
  private final Responder responder;
  private final PublicUrls publicUrls;
  private final Conditions conditions;

  /// The parameters besides columns and rows.
  ///
  /// @param count the maximum number of partitions
  /// @param urls the base URLs, which the partitions use in turn
  private record Division(int count, Format format, List<String> urls) {

    String url(int index) {
      return urls.get(index % urls.size());
    }
  }

  PartitionsController(
      Datasets datasets, Responder responder, PublicUrls publicUrls, Conditions conditions) {
    this.datasets = datasets;
    this.responder = responder;
    this.publicUrls = publicUrls;
    this.conditions = conditions;
  }

  @GetMapping(Paths.DATASET + "/partitions")
  void partitions(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    int count = (int) ParameterParser.number(request, "count", DEFAULT_COUNT, 1, MAXIMUM_COUNT);
    Format format =
        ParameterParser.choice(
            request, "format", List.of(Format.FILE, Format.STREAM), Format.STREAM);
    ReadParameters requested = ReadParameters.ofArrow(request);
    List<String> urls = publicUrls.of(request);
    if (urls.isEmpty()) {
      throw noPublicUrl();
    }
    Division division = new Division(count, format, urls);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      ReadParameters parameters =
          requested.matching(
              snapshot,
              condition -> conditions.matches(snapshot, condition, Access.principal(request)));
      SelectedVersion selected = snapshot.select(parameters.selection());
      boolean isStored = selected.isAll() && format == Format.STREAM;
      TagVariant variant =
          isStored ? variant(division) : variant(division, parameters.query(), selected.id());
      Representation document =
          new VersionRepresentations(reference, snapshot)
              .document(
                  variant,
                  () ->
                      PartitionsDocument.of(
                          format,
                          isStored
                              ? streams(snapshot, selected, division)
                              : windows(snapshot, selected, parameters, division)));
      responder.send(request, response, document.revalidated());
    }
  }

  /// Returns the variant of a document, which depends on the URLs, too.
  private static TagVariant variant(Division division) {
    return TagVariant.of("partitions", division.count, "%08x".formatted(division.urls.hashCode()));
  }

  /// Returns the variant of a document whose URLs have a query, which may be written in several
  /// ways.
  private static TagVariant variant(Division division, String query, String selectionId) {
    String hash = Sha256.hex(division.urls + division.format.suffix() + query);
    return TagVariant.of("partitions", division.count, hash.substring(0, 32)).selected(selectionId);
  }

  /// Returns streams of stored bytes.
  private static List<PartitionsDocument.Partition> streams(
      Snapshot snapshot, SelectedVersion all, Division division) throws IOException {
    String pinned = DatasetPath.pinned(snapshot.summary());
    List<BatchRange> ranges = BatchRange.divide(byteSizes(all), division.count);
    if (ranges.isEmpty()) {
      // Without batches, one stream still has the schema.
      String path = pinned + Format.STREAM.suffix();
      long byteSize = snapshot.stream().byteSize();
      return List.of(PartitionsDocument.Partition.of(division.url(0), path, 0, 0L, byteSize));
    }
    long commonByteSize =
        snapshot.schemaMessage().byteSize()
            + snapshot.footer().dictionaries().stream().mapToLong(Block::byteSize).sum()
            + Framing.PREFIX_BYTE_SIZE;
    List<PartitionsDocument.Partition> streams = new ArrayList<>();
    for (BatchRange range : ranges) {
      streams.add(
          PartitionsDocument.Partition.of(
              division.url(streams.size()),
              pinned + "/batches/" + range.pathSegment(),
              rowCount(all, range),
              range.to() - range.from() + 1,
              commonByteSize + snapshot.batchRange(range.from(), range.to()).byteSize()));
    }
    return streams;
  }

  /// Returns windows of the selected rows, with as many rows as match a condition, or else as many
  /// stored bytes, in each.
  ///
  /// @return a list whose elements are made when they are read: each repeats the condition, which
  ///   may be long
  private static List<PartitionsDocument.Partition> windows(
      Snapshot snapshot, SelectedVersion selected, ReadParameters parameters, Division division) {
    String path = DatasetPath.pinned(snapshot.summary()) + division.format.suffix();
    long[] sizes = parameters.condition() == null ? byteSizes(selected) : rowCounts(selected);
    List<BatchRange> ranges =
        BatchRange.divide(sizes, division.count).stream()
            .filter(range -> rowCount(selected, range) > 0)
            .toList();
    if (ranges.size() <= 1) {
      return List.of(
          PartitionsDocument.Partition.of(
              division.url(0), path + parameters.query(), selected.rows()));
    }
    return new AbstractList<>() {
      @Override
      public PartitionsDocument.Partition get(int index) {
        BatchRange range = ranges.get(index);
        long rowCount = rowCount(selected, range);
        ReadParameters window =
            parameters.window(selected.rowsBefore((int) range.from()), rowCount);
        return PartitionsDocument.Partition.of(
            division.url(index), path + window.query(), rowCount);
      }

      @Override
      public int size() {
        return ranges.size();
      }
    };
  }

  private static long[] byteSizes(SelectedVersion selected) {
    return IntStream.range(0, (int) selected.batches())
        .mapToLong(selected::storedByteSize)
        .toArray();
  }

  private static long[] rowCounts(SelectedVersion selected) {
    return IntStream.range(0, (int) selected.batches())
        .mapToLong(batch -> selected.rowsBefore(batch + 1) - selected.rowsBefore(batch))
        .toArray();
  }

  private static long rowCount(SelectedVersion selected, BatchRange range) {
    return selected.rowsBefore((int) range.to() + 1) - selected.rowsBefore((int) range.from());
  }

  private static ProblemException noPublicUrl() {
    return Problem.of(
            ProblemType.NOT_IMPLEMENTED,
            "Expected a URL for clients but found none at quiver.public-urls, which is required"
                + " unless the service listens on loopback")
        .withHint(
            "Let the operator set quiver.public-urls to the URL by which clients find the service.")
        .asException();
  }
}
