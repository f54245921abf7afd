/**
 * The common part of all ways to execute a dispatch: prepare it behind a latch, open it once, end
 * it once. Invariant: a dispatch that was not opened has not run.
 */
@NullMarked
package dev.belay.agent.execute;

import org.jspecify.annotations.NullMarked;
