/**
 * Planning: reads marks, advances their runs with the pure planner, writes the difference. Leader
 * thread only.
 */
@NullMarked
package dev.belay.engine.plan;

import org.jspecify.annotations.NullMarked;
