package dev.quiver.server.events;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.store.Datasets;
import dev.quiver.store.catalog.VersionCursor;
import dev.quiver.store.catalog.VersionHistory;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The versions of a dataset as they are committed, whichever process commits them, beginning with
/// the latest or after the one in `Last-Event-ID`.
@RestController
final class EventsController {

  private static final String LAST_EVENT_ID = "Last-Event-ID";

  private final VersionHistory history;
  private final EventStreams streams;

  EventsController(Datasets datasets, EventStreams streams) {
    this.history = datasets.history();
    this.streams = streams;
  }

  @GetMapping(Paths.DATASET + Paths.EVENTS)
  void events(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (streams.proceed(request, response)) {
      return;
    }
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    DatasetPath.requireNoVersion(reference);
    String lastEventId = request.getHeader(LAST_EVENT_ID);
    boolean isResumed = lastEventId != null && !lastEventId.isEmpty();
    long seen = isResumed ? version(lastEventId) : 0;
    VersionSummary latest = history.latest(reference.name(), seen);
    VersionCursor cursor =
        isResumed ? after(latest, seen, lastEventId) : history.startingAt(latest);
    VersionHeaders.setVersion(response, latest);
    streams.start(cursor, latest, request, response);
  }

  private VersionCursor after(VersionSummary latest, long seen, String lastEventId)
      throws IOException {
    VersionCursor cursor = seen == 0 ? null : history.after(latest, seen);
    if (cursor == null) {
      throw unknown(lastEventId);
    }
    return cursor;
  }

  /// Returns the version of an id, or 0 if it is not an id of a version.
  private static long version(String id) {
    return id.matches("[1-9][0-9]{0,17}") ? Long.parseLong(id) : 0;
  }

  private static ProblemException unknown(String lastEventId) {
    return Problem.of(
            ProblemType.GONE,
            "Expected the id of a retained version but found %s at header %s"
                .formatted(Excerpt.of(lastEventId, Problem.QUOTE_LENGTH), LAST_EVENT_ID))
        .withHint("Read the dataset, and follow it again without %s.".formatted(LAST_EVENT_ID))
        .asException();
  }
}
