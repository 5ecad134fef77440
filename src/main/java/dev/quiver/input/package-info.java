/// Limits on input, places in input, and the errors that name both.
@NullMarked
package dev.quiver.input;

import org.jspecify.annotations.NullMarked;
