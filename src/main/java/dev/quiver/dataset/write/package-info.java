/// The next version beyond a plain upload: append, compaction, import.
@NullMarked
package dev.quiver.dataset.write;

import org.jspecify.annotations.NullMarked;
