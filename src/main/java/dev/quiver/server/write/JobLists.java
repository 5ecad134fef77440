package dev.quiver.server.write;

import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.server.access.Access;
import dev.quiver.server.http.Json;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.store.access.Principal;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.Jobs;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Reads lists of jobs for requests, a few jobs at a time, each time in its turn.
@Component
final class JobLists {

  /// The number of jobs of a turn, each of which takes a read of the store.
  private static final int TURN_SIZE = 50;

  private final Jobs jobs;
  private final ResponseAdmission admission;

  JobLists(Jobs jobs, ResponseAdmission admission) {
    this.jobs = jobs;
    this.admission = admission;
  }

  /// Returns a list as a JSON document, which is read when the response is sent, and only as long
  /// as its client waits.
  ///
  /// @param after the id after which to start, or null to start with the first
  BodySource.Rendering document(HttpServletRequest request, @Nullable String after, int limit) {
    Principal principal = Access.of(request).principal();
    return output -> {
      // One more than requested shows whether there is a next page.
      List<Job> found = read(principal, after, limit + 1);
      try (Permit _ = admission.acquireForListPage()) {
        output.write(Json.render(list(found, limit)));
      }
    };
  }

  /// Reads the jobs that a principal may read, each few of them under a permit.
  List<Job> read(Principal principal, @Nullable String after, int limit) throws IOException {
    List<Job> found = new ArrayList<>();
    String last = after;
    while (found.size() < limit) {
      Cancellation.current().throwIfRequested();
      int count = Math.min(TURN_SIZE, limit - found.size());
      List<Job> turn;
      try (Permit _ = admission.acquireForListPage()) {
        turn = jobs.list(last, count);
      }
      turn.stream().filter(job -> principal.mayReadJobOf(job.principal())).forEach(found::add);
      if (turn.size() < count) {
        return found;
      }
      last = turn.getLast().id();
    }
    return found;
  }

  private static JobDocument.JobList list(List<Job> found, int limit) {
    List<Job> page = found.subList(0, Math.min(limit, found.size()));
    String next =
        found.size() > limit
            ? "%s?limit=%d&after=%s".formatted(Paths.JOBS, limit, page.getLast().id())
            : null;
    return new JobDocument.JobList(page.stream().map(JobDocument.Listed::of).toList(), next);
  }
}
