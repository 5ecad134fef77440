/// Loops that tell whether a whole range of a buffer is valid, scalar and with vectors.
@NullMarked
package dev.quiver.arrow.validate.kernel;

import org.jspecify.annotations.NullMarked;
