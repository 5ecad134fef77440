package dev.quiver.server.write;

import dev.quiver.server.pages.Html;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.JobProgress;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The page of a job that is not done: its state and its progress.
///
/// @param queryable whether statements run
record JobPage(Job job, boolean queryable) {

  private static final String BODY =
      """
      <header><h1>Job %s</h1></header>
      <main class="panel notice">
      <div class="scroll" tabindex="0"><table>
      <tr><th>state<th>dataset<th>progress<th class="number">rows read<th class="number">rows\
      <th>created
      <tr><td>%s<td>%s<td>%s<td class="number">%s<td class="number">%s<td>%s
      </table></div>
      %s
      <nav><a class="button" href="/">All datasets</a></nav>
      </main>\
      """;

  byte[] render() {
    JobProgress progress = job.progress();
    return PageTemplate.render(
        "Job " + job.state().word() + " · Quiver",
        BODY.formatted(
            Html.escape(job.id()),
            job.state().word(),
            job.dataset() == null ? "" : Html.escape(job.dataset()),
            fraction(progress.fraction()),
            rows(progress.rowsRead()),
            rows(progress.rowsTotal()),
            Html.seconds(job.createdAt()),
            problem(job.problem())),
        queryable);
  }

  private static String fraction(@Nullable Double fraction) {
    return fraction == null
        ? ""
        : String.format(
            Locale.ROOT,
            "<progress max=\"1\" value=\"%.3f\" aria-label=\"Progress\"></progress> %.0f %%",
            fraction,
            fraction * 100);
  }

  private static String rows(@Nullable Long count) {
    return count == null ? "" : Html.grouped(count);
  }

  private static String problem(@Nullable Map<String, Object> problem) {
    return problem == null
        ? ""
        : "<h2>%s</h2>\n<p>%s</p>"
            .formatted(
                Html.escape(String.valueOf(problem.get("title"))),
                Html.escape(String.valueOf(problem.get("detail"))));
  }
}
