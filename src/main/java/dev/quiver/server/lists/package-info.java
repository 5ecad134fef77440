/// Lists of datasets as JSON, tables, indexes and the home page.
@NullMarked
package dev.quiver.server.lists;

import org.jspecify.annotations.NullMarked;
