package dev.quiver.dataset.ingest;

import dev.quiver.input.Limits;
import dev.quiver.memory.ReusedMemory;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.storage.BlobStore;
import java.nio.file.Path;

/// The surroundings of one upload that every step of its ingestion shares.
///
/// @param uploadMemory lives as long as the ingestion
/// @param bodyMemory large bodies pass through it, and others are read into it
record IngestContext(
    BlobStore store,
    DatasetOptions options,
    UploadOptions wanted,
    Warnings warnings,
    ScratchMemory uploadMemory,
    ReusedMemory bodyMemory) {

  Limits limits() {
    return options.limits();
  }

  Path scratchFolder() {
    return store.scratchFolder();
  }
}
