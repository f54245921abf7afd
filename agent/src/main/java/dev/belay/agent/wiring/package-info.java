/**
 * The one place in the agent where clocks, randomness and the machine are real.
 *
 * <p>Invariant: all other code of the agent receives them as arguments.
 */
@NullMarked
package dev.belay.agent.wiring;

import org.jspecify.annotations.NullMarked;
