/** Tests of leadership and the tick. */
@NullMarked
package dev.belay.engine.leader;

import org.jspecify.annotations.NullMarked;
