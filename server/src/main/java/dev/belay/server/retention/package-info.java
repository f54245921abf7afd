/**
 * Removes finished tasks and runs after their retention, and writes them to an archive first if
 * there is one; removes other rows that are kept for a while only. Both are periodic jobs.
 */
@NullMarked
package dev.belay.server.retention;

import org.jspecify.annotations.NullMarked;
