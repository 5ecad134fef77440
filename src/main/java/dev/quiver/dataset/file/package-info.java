/// The canonical IPC file: writing it, and locating its parts.
@NullMarked
package dev.quiver.dataset.file;

import org.jspecify.annotations.NullMarked;
