/**
 * The leases of periodic jobs: rows of {@code job_lease}, and the fence that their batches enter.
 */
@NullMarked
package dev.belay.store.lease;

import org.jspecify.annotations.NullMarked;
