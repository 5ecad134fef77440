/// The canonical IPC file of a version: how it and its footer are written, and how its bytes,
/// messages and statistics are read and checked.
@NullMarked
package dev.quiver.store.file;

import org.jspecify.annotations.NullMarked;
