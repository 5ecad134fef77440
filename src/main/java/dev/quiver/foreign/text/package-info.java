/// Texts as values, exactly: a text that a type does not hold is no value of it, and is never
/// rounded or cut, but for the fractions of floating-point numbers.
@NullMarked
package dev.quiver.foreign.text;

import org.jspecify.annotations.NullMarked;
