/// Writes: bodies, forms and statements as uploads, jobs, and resumable uploads.
@NullMarked
package dev.quiver.server.write;

import org.jspecify.annotations.NullMarked;
