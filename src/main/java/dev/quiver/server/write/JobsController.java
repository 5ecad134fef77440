package dev.quiver.server.write;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.formats.Format;
import dev.quiver.server.access.Access;
import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.Negotiation;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.Responder;
import dev.quiver.sql.query.Queries;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.JobState;
import dev.quiver.store.log.Jobs;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Jobs: their states, and their cancellation. Any service that shares the store responds alike.
@RestController
final class JobsController {

  private static final int DEFAULT_LIMIT = 100;
  private static final int MAXIMUM_LIMIT = 1000;
  private static final String HTML = Format.HTML.mediaType();

  /// The seconds after which it is worth while to ask again for a job that has not ended, as a
  /// browser with its page does.
  static final String REFRESH_SECONDS = "2";

  private final Jobs jobs;
  private final JobLists lists;
  private final Responder responder;
  private final Queries queries;

  JobsController(Jobs jobs, JobLists lists, Responder responder, Queries queries) {
    this.jobs = jobs;
    this.lists = lists;
    this.responder = responder;
    this.queries = queries;
  }

  @GetMapping(Paths.JOBS)
  void list(HttpServletRequest request, HttpServletResponse response) throws IOException {
    int limit = (int) ParameterParser.number(request, "limit", DEFAULT_LIMIT, 1, MAXIMUM_LIMIT);
    String after = ParameterParser.only(request, "after");
    if (after != null && !Jobs.isId(after)) {
      throw Problem.badRequest(
          "Expected the id of a job but found \"%s\" at parameter after"
              .formatted(Excerpt.of(after, Problem.QUOTE_LENGTH)));
    }
    responder.sendCurrent(
        request,
        response,
        Json.MEDIA_TYPE,
        CodingPolicy.TEXT,
        new BodySource.AdmittedDocument(lists.document(request, after, limit)));
  }

  @GetMapping(Paths.JOB)
  void get(@PathVariable("job") String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Job job = jobs.find(id);
    if (job == null || !Access.of(request).principal().mayReadJobOf(job.principal())) {
      throw notFound(id);
    }
    String type =
        Negotiation.choose(request, response, List.of(Json.MEDIA_TYPE, HTML), offer -> offer);
    if (job.state() == JobState.DONE) {
      response.setHeader(
          "Location", JobDocument.path(Objects.requireNonNull(job.result()).version()));
      Json.write(response, HttpServletResponse.SC_SEE_OTHER, JobDocument.of(job));
      return;
    }
    if (!job.state().isEnd()) {
      response.setHeader("Retry-After", REFRESH_SECONDS);
    }
    if (!type.equals(HTML)) {
      Json.write(response, HttpServletResponse.SC_OK, JobDocument.of(job));
      return;
    }
    PageTemplate.HEADERS.forEach(response::setHeader);
    if (!job.state().isEnd()) {
      response.setHeader("Refresh", REFRESH_SECONDS);
    }
    responder.sendText(
        request, response, HTML, () -> new JobPage(job, queries.isAvailable()).render());
  }

  @DeleteMapping(Paths.JOB)
  void cancel(
      @PathVariable("job") String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Job found = jobs.find(id);
    if (found == null || !Access.of(request).principal().mayCancelJobOf(found.principal())) {
      throw notFound(id);
    }
    String dataset = found.dataset();
    if (dataset != null) {
      Access.of(request).recordDataset(new DatasetReference(new DatasetName(dataset), null));
    }
    Job job = jobs.cancel(id);
    if (job == null) {
      throw notFound(id);
    }
    if (job.state() != JobState.CANCELLED) {
      throw Problem.of(
              ProblemType.CONFLICT,
              "Expected a job that is queued or running but found one that is %s at %s"
                  .formatted(
                      job.state().isEnd() ? job.state().word() : "being committed",
                      JobDocument.path(id)))
          .withHint("Ask for the job by GET: it is too late to cancel it.")
          .asException();
    }
    Json.write(response, HttpServletResponse.SC_OK, JobDocument.of(job));
  }

  private static RuntimeException notFound(String id) {
    return Problem.notFound(JobDocument.path(id))
        .withHint(
            "%s%s lists your jobs, each for a day after its end."
                .formatted(PublicPath.prefix(), Paths.JOBS))
        .asException();
  }
}
