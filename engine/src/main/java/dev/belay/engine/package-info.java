/**
 * The loops of the control plane and the ports they need. Invariant: nothing critical lives in
 * memory; every loop derives what to do from the store, and doing it twice changes nothing. Each
 * loop is a {@code runOnce()} that a test or a simulation can call by hand, plus a thin runner.
 */
@NullMarked
package dev.belay.engine;

import org.jspecify.annotations.NullMarked;
