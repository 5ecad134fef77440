/// Stored bytes that are not those that were written: how they are told, and counted.
@NullMarked
package dev.quiver.dataset.integrity;

import org.jspecify.annotations.NullMarked;
