/**
 * What all workflows share: pools, topics and tenants, as the system file or the API declares them.
 * Nothing has to be declared: an unknown pool is active and has no limit of its own, and an unknown
 * tenant has the weight 1 and no limits.
 */
@NullMarked
package dev.belay.domain.system;

import org.jspecify.annotations.NullMarked;
