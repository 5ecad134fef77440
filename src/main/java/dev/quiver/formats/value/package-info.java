/// Texts as values, exactly: numbers, times and others.
@NullMarked
package dev.quiver.formats.value;

import org.jspecify.annotations.NullMarked;
