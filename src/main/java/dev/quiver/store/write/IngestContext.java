package dev.quiver.store.write;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.ReusedMemory;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.store.blob.BlobStore;
import java.nio.file.Path;

/// The state of one upload that every step of its ingestion shares.
///
/// @param uploadMemory memory that is valid until the ingestion ends
/// @param bodyMemory the buffer that large bodies pass through and others are read into
/// @param charge the memory of the upload
record IngestContext(
    BlobStore store,
    DatasetOptions options,
    UploadOptions uploadOptions,
    Warnings warnings,
    ScratchMemory uploadMemory,
    ReusedMemory bodyMemory,
    InFlightBytes.Charge charge) {

  Limits limits() {
    return options.limits();
  }

  Path scratchFolder() {
    return store.scratchFolder();
  }
}
