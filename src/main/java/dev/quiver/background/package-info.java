/// Work without a request: garbage collection and the import of a folder.
@NullMarked
package dev.quiver.background;

import org.jspecify.annotations.NullMarked;
