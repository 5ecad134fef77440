/// The contents of a request: its body as it arrives, forms, parameters, conditions.
@NullMarked
package dev.quiver.web.request;

import org.jspecify.annotations.NullMarked;
