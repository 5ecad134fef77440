/// Our URLs, formats, links and JSON documents.
@NullMarked
package dev.quiver.web.resource;

import org.jspecify.annotations.NullMarked;
