/** Tests of the reaper that need no store. */
@NullMarked
package dev.belay.engine.reap;

import org.jspecify.annotations.NullMarked;
