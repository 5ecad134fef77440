/// Reports on every message of a stream or file, without storing it.
@NullMarked
package dev.quiver.server.inspect;

import org.jspecify.annotations.NullMarked;
