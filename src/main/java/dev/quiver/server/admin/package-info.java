/// Work without a request: garbage collection, scrubbing, the import of a folder, and the sample.
@NullMarked
package dev.quiver.server.admin;

import org.jspecify.annotations.NullMarked;
