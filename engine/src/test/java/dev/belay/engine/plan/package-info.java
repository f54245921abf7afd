/** Tests of planning with a store in memory. One thread. */
@NullMarked
package dev.belay.engine.plan;

import org.jspecify.annotations.NullMarked;
