/**
 * The real engine and the real ends of a worker session on simulated time, network, processes and
 * crashes, by seed. {@link dev.belay.simulation.Simulation} runs one {@link
 * dev.belay.simulation.Scenario}.
 *
 * <p><b>Real.</b> AgentSession; Gateway, WorkerStream and WorkerConnection; ResultBatcher; Leader,
 * Tick, PlanPhase, DispatchPhase, DispatchPool; Reaper and DatabaseUptime; the decisions of the
 * domain. On PostgreSQL also the store, intake and steering.
 *
 * <p><b>Simulated.</b> The store, unless PostgreSQL is requested ({@link
 * dev.belay.simulation.model}); all clocks, including the database's, which steps; threads, as
 * events that run one after the other; the network; processes with their supervisor and lease
 * keeper; the journal's disk. {@link dev.belay.simulation.FaultKind} lists the faults.
 *
 * <p><b>Where to look.</b> World: time, chance, faults. SimulatedServer, StoreCalls, Replicas: the
 * control plane. SimulatedAgent, AgentLife, Processes: workers. Link: the network. Clients, Graphs:
 * the workload. Ledger and Hearing: the truth; Invariants: whether the store agrees.
 *
 * <p><b>Invariant.</b> The seed decides everything: the same seed gives the same trace. So nothing
 * here reads a clock, draws from another source of chance, or depends on the order of a hash table
 * of objects with identity hashes.
 *
 * <p><b>Threads.</b> One. A second thread, or another replica, is an event that runs inside a store
 * call of the first, even in the middle of a statement ({@link
 * dev.belay.simulation.Scheduler#interleave}).
 */
@NullMarked
package dev.belay.simulation;

import org.jspecify.annotations.NullMarked;
