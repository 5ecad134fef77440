/// The steps of requests, for their traces.
@NullMarked
package dev.quiver.trace;

import org.jspecify.annotations.NullMarked;
