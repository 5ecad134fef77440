/// A report on every message of a stream or file: [dev.quiver.inspect.Inspector] goes on where a
/// reader would stop, and says what it found in a JSON document.
@NullMarked
package dev.quiver.inspect;

import org.jspecify.annotations.NullMarked;
