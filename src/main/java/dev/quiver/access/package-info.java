/// Permissions to read and write datasets by their names, and the principals that have them.
@NullMarked
package dev.quiver.access;

import org.jspecify.annotations.NullMarked;
