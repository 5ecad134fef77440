/// The datasets of a list: filter, order and place.
@NullMarked
package dev.quiver.dataset.listing;

import org.jspecify.annotations.NullMarked;
