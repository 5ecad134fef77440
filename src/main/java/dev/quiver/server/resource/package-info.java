/// URLs, formats, links and JSON documents.
@NullMarked
package dev.quiver.server.resource;

import org.jspecify.annotations.NullMarked;
