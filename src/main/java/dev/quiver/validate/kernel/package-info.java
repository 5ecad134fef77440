/// Loops over buffers that find the first invalid value, scalar and with vectors.
@NullMarked
package dev.quiver.validate.kernel;

import org.jspecify.annotations.NullMarked;
