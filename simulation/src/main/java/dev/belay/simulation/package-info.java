/**
 * The real engine and the real ends of a worker session on simulated time, network, processes and
 * crashes, by seed. {@link dev.belay.simulation.Simulation} is one seed.
 *
 * <p><b>Real.</b> AgentSession; Gateway, Stream and WorkerConnection; ResultBatcher; Leader, Tick,
 * PlanPhase, DispatchPhase, DispatchPool; intake and steering; the store behind the engine's ports.
 *
 * <p><b>Simulated.</b> The clock, also the database's; each thread, as events that are run one
 * after the other; the wire; processes; the journal's disk; loss of hints; store calls that fail
 * before or after they did their work; agents that crash between any two commands; servers that
 * crash or freeze in any store call.
 *
 * <p><b>Invariant.</b> The seed decides everything: the same seed gives the same trace. So nothing
 * here reads a clock, draws from another source of chance, or depends on the order of a hash table
 * of objects without a value of their own.
 *
 * <p><b>Threads.</b> One. A second thread of the server is an event that is run inside a store call
 * of the first ({@link dev.belay.simulation.Scheduler#interleave}).
 */
@NullMarked
package dev.belay.simulation;

import org.jspecify.annotations.NullMarked;
