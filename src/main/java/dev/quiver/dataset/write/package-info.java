/// The next version: replacement, append, compaction, import.
@NullMarked
package dev.quiver.dataset.write;

import org.jspecify.annotations.NullMarked;
