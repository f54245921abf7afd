/**
 * The loops of the control plane and their ports. Invariant: no critical state lives in memory;
 * every loop derives its work from the store, and repeating it changes nothing. Each loop is a
 * {@code runOnce()} that a test or simulation can call, plus a thin runner.
 */
@NullMarked
package dev.belay.engine;

import org.jspecify.annotations.NullMarked;
