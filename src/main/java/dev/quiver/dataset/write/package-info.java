/// Updates other than a plain upload: appends, compactions and imports.
@NullMarked
package dev.quiver.dataset.write;

import org.jspecify.annotations.NullMarked;
