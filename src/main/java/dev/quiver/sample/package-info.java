/// The dataset that an empty store gets.
@NullMarked
package dev.quiver.sample;

import org.jspecify.annotations.NullMarked;
