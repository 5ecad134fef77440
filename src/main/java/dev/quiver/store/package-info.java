/// The façade of the store: it puts, appends, deletes, reads, lists and checks datasets.
@NullMarked
package dev.quiver.store;

import org.jspecify.annotations.NullMarked;
