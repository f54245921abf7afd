/**
 * The one place of the agent where clocks, randomness and the machine are real.
 *
 * <p>Invariant: nothing else in the agent asks them; all else is handed what it needs.
 */
@NullMarked
package dev.belay.agent.wiring;

import org.jspecify.annotations.NullMarked;
