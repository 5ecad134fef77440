/// Files of other formats as Arrow data: received, given to a worker that reaches nothing else, and
/// read as the stream that the worker sends.
@NullMarked
package dev.quiver.query.file;

import org.jspecify.annotations.NullMarked;
