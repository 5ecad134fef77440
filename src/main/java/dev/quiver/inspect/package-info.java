/// A report on every message of a stream or file. [dev.quiver.inspect.Inspector] continues where a
/// reader would stop, and reports its findings in a JSON document.
@NullMarked
package dev.quiver.inspect;

import org.jspecify.annotations.NullMarked;
