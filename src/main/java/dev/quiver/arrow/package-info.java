/// The façade of the library: it reads, selects, validates and writes streams and files.
@NullMarked
package dev.quiver.arrow;

import org.jspecify.annotations.NullMarked;
