/**
 * Explains why a task or run waits, from the same facts that the dispatcher and the run queue
 * decide by.
 */
@NullMarked
package dev.belay.domain.wait;

import org.jspecify.annotations.NullMarked;
