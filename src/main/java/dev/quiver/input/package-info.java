/// Limits on the input, locations in the input, and the errors that name both.
@NullMarked
package dev.quiver.input;

import org.jspecify.annotations.NullMarked;
