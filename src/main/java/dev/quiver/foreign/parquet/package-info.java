/// Parquet files: the statements that read and write them, which types a file restores, and what
/// the engine's errors about them mean.
@NullMarked
package dev.quiver.foreign.parquet;

import org.jspecify.annotations.NullMarked;
