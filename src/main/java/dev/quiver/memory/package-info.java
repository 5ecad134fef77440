/// Bytes: little-endian access, bitmaps, padding, where bytes come from and go to, and what is said
/// of bytes that are wrong.
@NullMarked
package dev.quiver.memory;

import org.jspecify.annotations.NullMarked;
