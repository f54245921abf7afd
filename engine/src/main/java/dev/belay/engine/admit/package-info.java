/** Passes tasks through admission when their time has come. For the leader. */
@NullMarked
package dev.belay.engine.admit;

import org.jspecify.annotations.NullMarked;
