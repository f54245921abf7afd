/** Log marks that the agent and the server share. */
@NullMarked
package dev.belay.domain.log;

import org.jspecify.annotations.NullMarked;
