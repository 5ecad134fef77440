/// Files of other formats as Arrow data: received, then read. JSON is given to a worker that
/// reaches nothing else, and read as the stream that the worker sends. Such workers write Parquet
/// files.
@NullMarked
package dev.quiver.query.file;

import org.jspecify.annotations.NullMarked;
