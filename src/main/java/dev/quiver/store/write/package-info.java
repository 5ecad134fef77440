/// The next version: the ingestion of an upload, an append, a compaction, an import.
@NullMarked
package dev.quiver.store.write;

import org.jspecify.annotations.NullMarked;
