/**
 * Runs a dispatch as a subprocess on Linux, so that nothing of it survives its end or its agent.
 *
 * <p>Every task starts as a <em>latched</em> process in its own session and process group: a shell
 * that waits for one line on its stdin, then takes the task's environment and becomes the command
 * ({@link dev.belay.agent.process.StartLatch}). An agent that dies before it opens the latch has
 * provably started nothing. Every task carries two cookies in its environment ({@code
 * BELAY_AGENT_SESSION}, {@code BELAY_DISPATCH_ID}), which identify processes that left their group.
 * A supervisor process outside the agent ends them all when the agent dies, even by {@code kill
 * -9}.
 *
 * <p>A strict task runs under a lease, which a second process outside the agent enforces ({@link
 * dev.belay.agent.process.LeaseWatch}).
 *
 * <p>Invariants: no command runs before a live supervisor knows its group. No signal goes to a
 * number that may belong to another process: either the group's leader is not reaped yet, or the
 * target carries our cookie (see {@link dev.belay.agent.process.ProcessGroup}).
 *
 * <p>Threads: callers prepare, open and terminate from any thread; one pump thread reads all
 * output; one sweeper thread at a time reads /proc; the JDK's reaper threads report exits; timers
 * run on the injected scheduler. {@link dev.belay.agent.process.LatchedProcess} guards its state
 * with its own monitor and calls listeners outside of it.
 */
@NullMarked
package dev.belay.agent.process;

import org.jspecify.annotations.NullMarked;
