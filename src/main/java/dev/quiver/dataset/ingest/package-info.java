/// The ingestion of an upload into one canonical file: framing, validation, dictionaries, batch
/// sizes.
@NullMarked
package dev.quiver.dataset.ingest;

import org.jspecify.annotations.NullMarked;
