/// Every key below `quiver`, with its default and its check.
@NullMarked
package dev.quiver.server.config;

import org.jspecify.annotations.NullMarked;
