package dev.quiver.web;

import dev.quiver.config.QuiverProperties;
import dev.quiver.config.RequestLimits;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.listing.DatasetFilter;
import dev.quiver.dataset.listing.DatasetMatches;
import dev.quiver.dataset.listing.DatasetOrder;
import dev.quiver.dataset.listing.DatasetQuery;
import dev.quiver.dataset.listing.PageTurns;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.parallel.SharedTasks;
import dev.quiver.web.connector.ConnectionWatch;
import dev.quiver.web.problem.Json;
import dev.quiver.web.representation.DatasetSource;
import dev.quiver.web.request.ListParameters;
import dev.quiver.web.resource.Documents;
import dev.quiver.web.response.BodySource;
import dev.quiver.web.response.ResponseAdmission;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/// Reads lists of datasets for requests, each page in its turn.
///
/// In another order than by name, and to tell the total, all datasets that pass the filter are read
/// first. Requests with the same filter share that scan.
@Component
final class DatasetLists {

  private final Datasets datasets;
  private final RequestLimits limits;
  private final ResponseAdmission admission;
  private final SharedTasks<Scan, DatasetMatches> scans = new SharedTasks<>();

  /// A scan that requests share.
  ///
  /// @param maximum the number of datasets at which it stops
  private record Scan(DatasetFilter filter, long maximum) {}

  DatasetLists(Datasets datasets, QuiverProperties properties, ResponseAdmission admission) {
    this.datasets = datasets;
    this.limits = properties.limits();
    this.admission = admission;
  }

  /// Returns whether more than `maximum` datasets pass a filter.
  boolean isLongerThan(HttpServletRequest request, long maximum, DatasetFilter filter)
      throws IOException {
    return datasets.listing().isLongerThan(maximum, filter, turns(hasClient(request)));
  }

  /// Returns the datasets of a query, which are read when the response is sent.
  DatasetSource source(HttpServletRequest request, DatasetQuery query) {
    BooleanSupplier hasClient = hasClient(request);
    return query.order().equals(DatasetOrder.BY_NAME)
        ? pages ->
            datasets
                .listing()
                .list(
                    query.filter(), query.after(), query.limit(), new StreamTurns(hasClient), pages)
        : pages -> {
          List<VersionSummary> sorted = scan(query, limits.sorted(), hasClient).select(query);
          try (ResponseAdmission.Permit _ = admission.acquireForListPage(hasClient)) {
            pages.accept(sorted);
          }
        };
  }

  /// Returns a list as a JSON document, which is read when the response is sent.
  BodySource.Rendering document(HttpServletRequest request, ListParameters parameters) {
    BooleanSupplier hasClient = hasClient(request);
    return output -> {
      Documents.DatasetList list = list(parameters, hasClient);
      try (ResponseAdmission.Permit _ = admission.acquireForListPage(hasClient)) {
        output.write(Json.render(list));
      }
    };
  }

  private Documents.DatasetList list(ListParameters parameters, BooleanSupplier hasClient)
      throws IOException {
    DatasetQuery query = parameters.query();
    // One more than requested shows whether there is a next page.
    DatasetQuery more = query.withLimit(query.limit() + 1);
    boolean isByName = query.order().equals(DatasetOrder.BY_NAME);
    DatasetMatches matches = null;
    if (!isByName) {
      matches = scan(query, limits.sorted(), hasClient);
    } else if (parameters.total()) {
      matches = scan(query, limits.counted(), hasClient);
    }
    List<VersionSummary> found = matches == null ? List.of() : matches.select(more);
    if (isByName && found.size() < more.limit() && (matches == null || !matches.isComplete())) {
      found = read(more, hasClient);
    }
    List<VersionSummary> page = found.subList(0, (int) Math.min(query.limit(), found.size()));
    return new Documents.DatasetList(
        page.stream().map(Documents.Version::of).toList(),
        parameters.total() && matches != null ? matches.count() : null,
        found.size() > page.size() ? parameters.next(page.getLast()) : null);
  }

  private List<VersionSummary> read(DatasetQuery query, BooleanSupplier hasClient)
      throws IOException {
    List<VersionSummary> found = new ArrayList<>();
    datasets
        .listing()
        .list(query.filter(), query.after(), query.limit(), turns(hasClient), found::addAll);
    return found;
  }

  /// Reads all datasets that pass the filter of a query.
  ///
  /// @param limit the limit on their number
  private DatasetMatches scan(DatasetQuery query, Limit limit, BooleanSupplier hasClient)
      throws IOException {
    DatasetMatches matches;
    try {
      matches =
          scans.get(
              new Scan(query.filter(), limit.maximum() + 1),
              hasClient,
              progress -> scan(query.filter(), limit.maximum() + 1, progress));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    if (matches == null) {
      throw admission.overloaded();
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

  private DatasetMatches scan(DatasetFilter filter, long maximum, SharedTasks.Progress progress)
      throws IOException {
    PageTurns turns =
        () -> {
          ResponseAdmission.Permit permit = admission.acquireForNextListPage(progress::isWanted);
          progress.begin();
          return permit::close;
        };
    try (ResponseAdmission.Permit _ = admission.acquireForScan(progress::isWanted)) {
      return datasets.listing().matches(filter, limits.sortedDatasets() + 1, maximum, turns);
    }
  }

  private PageTurns turns(BooleanSupplier hasClient) {
    return () -> admission.acquireForListPage(hasClient)::close;
  }

  private static BooleanSupplier hasClient(HttpServletRequest request) {
    return () -> !ConnectionWatch.isClosedByClient(request);
  }

  /// The turns of a response that is sent while its pages are read.
  private final class StreamTurns implements PageTurns {

    private final BooleanSupplier hasClient;
    private boolean begun;

    StreamTurns(BooleanSupplier hasClient) {
      this.hasClient = hasClient;
    }

    @Override
    public Turn await() throws IOException {
      // A response that has begun is not truncated for a client that has only ended its sending.
      ResponseAdmission.Permit permit =
          begun
              ? admission.acquireForNextListPage(() -> true)
              : admission.acquireForListPage(hasClient);
      begun = true;
      return permit::close;
    }
  }
}
