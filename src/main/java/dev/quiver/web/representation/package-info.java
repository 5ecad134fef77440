/// A version as files, streams, rows and pages.
@NullMarked
package dev.quiver.web.representation;

import org.jspecify.annotations.NullMarked;
