/// Reports on every message of Arrow data, and how files of other formats are read, without storing
/// them.
@NullMarked
package dev.quiver.server.inspect;

import org.jspecify.annotations.NullMarked;
