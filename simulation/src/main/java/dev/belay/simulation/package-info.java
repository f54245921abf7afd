/**
 * The real engine and the real ends of a worker session on simulated time, network, processes and
 * crashes, by seed. {@link dev.belay.simulation.Simulation} is one scenario; a {@link
 * dev.belay.simulation.Scenario} with its seed decides everything.
 *
 * <p><b>Real.</b> AgentSession; Gateway, Stream and WorkerConnection; ResultBatcher; Leader, Tick,
 * PlanPhase, DispatchPhase, DispatchPool; Reaper and DatabaseUptime; the decisions of the domain.
 * On PostgreSQL also the store, intake and steering.
 *
 * <p><b>Simulated.</b> The store, unless PostgreSQL is asked for ({@link
 * dev.belay.simulation.model}); the clocks, also the database's, which steps; each thread, as
 * events that are run one after the other; the wire; processes with their supervisor and the watch
 * over leases; the journal's disk. What goes wrong is in {@link dev.belay.simulation.FaultKind}.
 *
 * <p><b>Where to look.</b> World: time, chance, trouble. SimulatedServer, StoreCalls, Replicas: the
 * control plane. SimulatedAgent, AgentLife, Processes: workers. Link: the wire. Clients, Graphs:
 * the workload. Ledger and Hearing: what is true; Invariants: whether the store agrees.
 *
 * <p><b>Invariant.</b> The seed decides everything: the same seed gives the same trace. So nothing
 * here reads a clock, draws from another source of chance, or depends on the order of a hash table
 * of objects without a value of their own.
 *
 * <p><b>Threads.</b> One. A second thread, or another replica, is an event that is run inside a
 * store call of the first, also in the middle of a statement ({@link
 * dev.belay.simulation.Scheduler#interleave}).
 */
@NullMarked
package dev.belay.simulation;

import org.jspecify.annotations.NullMarked;
