/// Statements over HTTP: their results, their progress and their page.
@NullMarked
package dev.quiver.server.sql;

import org.jspecify.annotations.NullMarked;
