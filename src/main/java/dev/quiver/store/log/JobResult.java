package dev.quiver.store.log;

import dev.quiver.store.version.DatasetReference;
import java.util.Map;

/// The result of a job.
///
/// @param version the version that it stored
/// @param document the members of the document that describes the version; none in lists
public record JobResult(DatasetReference version, Map<String, Object> document) {}
