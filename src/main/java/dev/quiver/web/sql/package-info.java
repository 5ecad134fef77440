/// The controller of statements, and the identity of their results.
@NullMarked
package dev.quiver.web.sql;

import org.jspecify.annotations.NullMarked;
