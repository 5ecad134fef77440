/// Permissions to read and write datasets by their names, the principals that have them, and their
/// limits.
@NullMarked
package dev.quiver.store.access;

import org.jspecify.annotations.NullMarked;
