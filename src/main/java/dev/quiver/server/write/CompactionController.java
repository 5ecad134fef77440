package dev.quiver.server.write;

import dev.quiver.server.http.WriteConditions;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Compacts the small appends of a dataset immediately instead of in the background. Ignores the
/// body.
@RestController
public final class CompactionController {

  private final Datasets datasets;
  private final WriteResponse writeResponse;

  CompactionController(Datasets datasets, WriteResponse writeResponse) {
    this.datasets = datasets;
    this.writeResponse = writeResponse;
  }

  @PostMapping(Paths.DATASET + Paths.COMPACT)
  void compact(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    DatasetPath.requireNoVersion(reference);
    DatasetName name = reference.name();
    writeResponse.send(
        request, response, datasets.compact(name, WriteConditions.of(request, name)));
  }
}
