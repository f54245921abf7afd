/** Rules of the agent's end, one sentence each. One thread. */
@NullMarked
package dev.belay.session.agent;

import org.jspecify.annotations.NullMarked;
