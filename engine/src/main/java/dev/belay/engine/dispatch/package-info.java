/**
 * Dispatch: the tick routes, a bounded pool claims. The phase runs on the leader's thread, claims
 * on the pool's threads.
 *
 * <p>Who knows what: {@link dev.belay.engine.dispatch.WaitingQueues} hears where tasks may wait,
 * from any thread. {@code OpenQueues} keeps these task queues in fair order; one that is blocked
 * waits there for its {@code Gates.Blocker}. {@code Claims} hands a round to the pool. {@link
 * dev.belay.engine.dispatch.Roster} knows what each dispatch takes of workers and limits, and
 * collects what became free for the next round. {@link dev.belay.engine.dispatch.Rules} holds what
 * people declared.
 *
 * <p>Invariants: a task is delivered only after its claim committed. A dispatch counts from before
 * its claim until after its end committed; one whose claim got no answer, until it cannot commit
 * any more and a read does not show it. A blocked task queue is woken by each change that may
 * unblock it, and at the latest by a sweep.
 */
@NullMarked
package dev.belay.engine.dispatch;

import org.jspecify.annotations.NullMarked;
