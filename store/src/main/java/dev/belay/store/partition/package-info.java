/**
 * Weekly partitions of history and attempts. Belay creates them ahead of time, so retention can
 * drop whole partitions.
 */
@NullMarked
package dev.belay.store.partition;

import org.jspecify.annotations.NullMarked;
