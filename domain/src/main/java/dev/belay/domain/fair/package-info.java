/**
 * Fairness: which task queue gets the next free place. The order is by priority; at equal priority
 * tenants share by weight, the workflows of a tenant take turns, and so do the task queues of a
 * workflow. So a tenant with 100,000 tasks does not hold up one with three.
 */
@NullMarked
package dev.belay.domain.fair;

import org.jspecify.annotations.NullMarked;
