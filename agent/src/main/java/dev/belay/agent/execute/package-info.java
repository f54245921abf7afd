/**
 * What every way of executing a dispatch has in common: prepared behind a latch, opened once, ended
 * once. Invariant: what was not opened has not run.
 */
@NullMarked
package dev.belay.agent.execute;

import org.jspecify.annotations.NullMarked;
