/// One representation and how it is sent: conditions, codings, ranges, bytes.
@NullMarked
package dev.quiver.web.response;

import org.jspecify.annotations.NullMarked;
