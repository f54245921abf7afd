/**
 * Periodic jobs of the servers: one replica at a time runs a job, once a period.
 *
 * <p><b>States of a runner.</b> Waiting: it looks at the job's row, and tries to acquire the lease
 * when the job is due. Holding: each step does one batch of the job. Ending: the work is over and
 * the runner writes the outcome.
 *
 * <p><b>Trust.</b> A holder trusts its lease for the ttl after it sent the last request that proved
 * it, on its own monotonic clock. It renews at a third of that. After three failed renewals in a
 * row, or without a proof for the ttl, it abandons the run.
 *
 * <p><b>Invariant.</b> Trust only saves work. The fence keeps the promise: every batch compares the
 * token in its own transaction, under a lock that the next holder's acquisition waits for. A frozen
 * holder that wakes writes nothing.
 *
 * <p><b>Threads.</b> One loop steps each runner, and one more loop renews all leases, so a long
 * batch does not keep the lease from being renewed.
 */
@NullMarked
package dev.belay.engine.lease;

import org.jspecify.annotations.NullMarked;
