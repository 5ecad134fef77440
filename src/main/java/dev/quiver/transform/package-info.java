/// Record batches and their dictionaries made into others that hold the same values.
@NullMarked
package dev.quiver.transform;

import org.jspecify.annotations.NullMarked;
