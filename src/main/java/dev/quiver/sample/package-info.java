/// The dataset that an empty store starts with.
@NullMarked
package dev.quiver.sample;

import org.jspecify.annotations.NullMarked;
