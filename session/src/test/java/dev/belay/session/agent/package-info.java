/** Rules of the agent end, one sentence each. One thread. */
@NullMarked
package dev.belay.session.agent;

import org.jspecify.annotations.NullMarked;
