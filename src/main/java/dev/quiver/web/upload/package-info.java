/// Uploads that arrive in several requests, by the IETF draft "Resumable Uploads for HTTP".
@NullMarked
package dev.quiver.web.upload;

import org.jspecify.annotations.NullMarked;
