package dev.quiver.server.lists;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.SharedTasks;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.Json;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.store.Datasets;
import dev.quiver.store.catalog.DatasetFilter;
import dev.quiver.store.catalog.DatasetMatches;
import dev.quiver.store.catalog.DatasetMatches.Match;
import dev.quiver.store.catalog.DatasetOrder;
import dev.quiver.store.catalog.DatasetOrder.Position;
import dev.quiver.store.catalog.DatasetQuery;
import dev.quiver.store.catalog.PageTurns;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Reads lists of datasets for requests, each page in its turn.
///
/// In another order than by name, and to count the total, all datasets that pass the filter are
/// looked at first. Requests with the same filter share that scan. The pages after the first one
/// may come from the last scan, unless this service has written since.
@Component
final class DatasetLists {

  /// The maximum age of a scan for the pages after the first one.
  private static final Duration RECENT = Duration.ofSeconds(10);

  private final Datasets datasets;
  private final RequestLimits limits;
  private final ResponseAdmission admission;
  private final SharedTasks<Scan, DatasetMatches> scans = new SharedTasks<>();
  private volatile @Nullable Recent recent;

  /// A scan that requests share.
  ///
  /// @param maximum the number of datasets at which it stops
  private record Scan(DatasetFilter filter, long maximum) {}

  /// The result of a scan.
  ///
  /// @param begunAt of [System#nanoTime]
  /// @param commits of this service before it began
  private record Recent(Scan scan, DatasetMatches matches, long begunAt, long commits) {}

  DatasetLists(Datasets datasets, QuiverProperties properties, ResponseAdmission admission) {
    this.datasets = datasets;
    this.limits = properties.limits();
    this.admission = admission;
  }

  /// Returns whether more than `maximum` datasets pass a filter.
  boolean isLongerThan(long maximum, DatasetFilter filter) throws IOException {
    return datasets.listing().isLongerThan(maximum, filter, admission::acquireForListPage);
  }

  /// Returns the datasets of a query, which are read when the response is sent.
  DatasetSource source(DatasetQuery query) {
    return query.order().equals(DatasetOrder.BY_NAME)
        ? pages ->
            datasets
                .listing()
                .list(query.filter(), query.after(), query.limit(), new StreamTurns(), pages)
        : pages ->
            datasets
                .listing()
                .read(
                    scan(query, limits.sorted()).select(query),
                    admission::acquireForListPage,
                    pages);
  }

  /// Returns a list as a JSON document, which is read when the response is sent.
  BodySource.Rendering document(ListParameters parameters) {
    return output -> {
      Documents.DatasetList list = list(parameters);
      try (Permit _ = admission.acquireForListPage()) {
        output.write(Json.render(list));
      }
    };
  }

  private Documents.DatasetList list(ListParameters parameters) throws IOException {
    DatasetQuery query = parameters.query();
    // One more than requested shows whether there is a next page.
    DatasetQuery more = query.withLimit(query.limit() + 1);
    boolean isByName = query.order().equals(DatasetOrder.BY_NAME);
    DatasetMatches matches = null;
    if (!isByName) {
      matches = scan(query, limits.sorted());
    } else if (parameters.total()) {
      matches = scan(query, limits.counted());
    }
    List<Match> selected = matches == null ? List.of() : matches.select(more);
    List<VersionSummary> page = new ArrayList<>();
    Position last;
    if (isByName && selected.size() < more.limit() && (matches == null || !matches.isComplete())) {
      datasets
          .listing()
          .list(
              more.filter(),
              more.after(),
              more.limit(),
              admission::acquireForListPage,
              page::addAll);
      last = page.size() < more.limit() ? null : query.order().position(page.get(page.size() - 2));
      page = page.subList(0, (int) Math.min(query.limit(), page.size()));
    } else {
      last = selected.size() < more.limit() ? null : selected.get(selected.size() - 2).position();
      List<Match> wanted = selected.subList(0, (int) Math.min(query.limit(), selected.size()));
      datasets.listing().read(wanted, admission::acquireForListPage, page::addAll);
    }
    return new Documents.DatasetList(
        page.stream().map(Documents.Version::of).toList(),
        parameters.total() && matches != null ? matches.count() : null,
        last == null ? null : parameters.next(last));
  }

  /// Looks at all datasets that pass the filter of a query.
  ///
  /// @param limit the limit on their number
  private DatasetMatches scan(DatasetQuery query, Limit limit) throws IOException {
    Scan scan = new Scan(query.filter(), limit.maximum() + 1);
    DatasetMatches matches = query.after() == null ? null : recent(scan);
    if (matches == null) {
      matches = scans.get(scan, progress -> run(scan, progress));
    }
    if (matches.count() > limit.maximum()) {
      boolean isSorted = !query.order().equals(DatasetOrder.BY_NAME);
      throw limit.exceeded(
          isSorted ? "datasets in another order than by name" : "datasets of a total",
          InputLocation.detail(
              "parameter %s; prefix and q narrow the list".formatted(isSorted ? "sort" : "total")));
    }
    return matches;
  }

  /// Returns what was found a moment ago, or null if this service has written since.
  private @Nullable DatasetMatches recent(Scan scan) {
    Recent last = recent;
    return last != null
            && last.scan.equals(scan)
            && last.commits == datasets.listing().commits()
            && System.nanoTime() - last.begunAt < RECENT.toNanos()
        ? last.matches
        : null;
  }

  private DatasetMatches run(Scan scan, SharedTasks.Progress progress) throws IOException {
    long begunAt = System.nanoTime();
    long commits = datasets.listing().commits();
    PageTurns turns =
        () -> {
          Permit permit = admission.acquireForNextListPage();
          progress.begin();
          return permit;
        };
    try (Permit _ = admission.acquireForScan()) {
      DatasetMatches found =
          datasets.listing().matches(scan.filter, limits.sortedDatasets() + 1, scan.maximum, turns);
      recent = new Recent(scan, found, begunAt, commits);
      return found;
    }
  }

  /// The turns of a response that is sent while its pages are read.
  private final class StreamTurns implements PageTurns {

    private boolean begun;

    @Override
    public Permit await() throws IOException {
      // A response that has begun is not truncated for a client that has only ended its sending.
      Permit permit =
          begun
              ? Cancellation.NEVER.call(admission::acquireForNextListPage)
              : admission.acquireForListPage();
      begun = true;
      return permit;
    }
  }
}
