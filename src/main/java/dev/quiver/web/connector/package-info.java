/// Connections of requests, on which stored bytes bypass Tomcat's buffers.
@org.jspecify.annotations.NullMarked
package dev.quiver.web.connector;
