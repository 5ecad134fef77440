package dev.quiver.web;

import dev.quiver.dataset.DatasetName;
import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.Datasets;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Merges what many small appends left in pieces, at once and not in the background. A body is not
/// looked at.
@RestController
final class MergeController {

  private static final String SUFFIX = "/merge";

  private final Datasets datasets;
  private final WriteAnswer answer;

  MergeController(Datasets datasets, WriteAnswer answer) {
    this.datasets = datasets;
    this.answer = answer;
  }

  /// Nobody's data change, so that it is enough to look at conditions before.
  @PostMapping("/datasets/{dataset}" + SUFFIX)
  void merge(@PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    DatasetPath.requireNoVersion(reference);
    DatasetName name = reference.name();
    datasets.check(name, WriteConditions.of(request, datasets, name));
    answer.send(response, datasets.merge(name));
  }

  /// Whether a request is for this resource, to which a POST has no body.
  static boolean isMerge(HttpServletRequest request) {
    return request.getServletPath().endsWith(SUFFIX);
  }
}
