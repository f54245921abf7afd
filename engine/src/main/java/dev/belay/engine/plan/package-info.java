/**
 * Planning: reads marks, advances their runs with the pure planner, writes the difference.
 *
 * <p><b>Threads.</b> The leader's, but for one thing: plans that take the value of a user's
 * expressions are made by the threads of a {@link dev.belay.engine.plan.PlanPool}, and written by
 * the leader in a later turn. Those threads touch no store.
 *
 * <p><b>Invariant.</b> A mark is deleted only by the transaction that writes the plan of a run that
 * was read after the mark, under the epoch in which both were read. So whatever becomes of a plan
 * that is under way (the leader is deposed, the process dies, the thread hangs), its run is planned
 * again.
 */
@NullMarked
package dev.belay.engine.plan;

import org.jspecify.annotations.NullMarked;
