/**
 * Removes finished tasks and runs after their retention, and writes them to an archive first if
 * there is one.
 */
@NullMarked
package dev.belay.server.retention;

import org.jspecify.annotations.NullMarked;
