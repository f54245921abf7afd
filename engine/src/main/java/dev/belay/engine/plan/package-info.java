/**
 * Planning: reads marks, advances their runs with the pure planner, writes the difference.
 *
 * <p><b>Threads.</b> The leader's, with one exception: the threads of a {@link
 * dev.belay.engine.plan.PlanPool} make the plans that need the value of a user's expressions, and
 * the leader writes them in a later turn. Those threads touch no store.
 *
 * <p><b>Invariant.</b> Only the transaction that writes the plan of a run deletes its mark, and
 * only if the run was read after the mark and under the same epoch. So if a plan under way is lost
 * (the leader is deposed, the process dies, the thread hangs), its run is planned again.
 */
@NullMarked
package dev.belay.engine.plan;

import org.jspecify.annotations.NullMarked;
