/// The canonical IPC file: how it is written, and where its parts lie.
@NullMarked
package dev.quiver.dataset.file;

import org.jspecify.annotations.NullMarked;
