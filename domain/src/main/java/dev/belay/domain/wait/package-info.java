/**
 * Why a task or run waits: decided from facts, the same that the dispatcher and the queue of runs
 * decide by.
 */
@NullMarked
package dev.belay.domain.wait;

import org.jspecify.annotations.NullMarked;
