/// HTTP: resources, ranges, conditions, problems, the page for people, and what protects them.
@NullMarked
package dev.quiver.web;

import org.jspecify.annotations.NullMarked;
