/**
 * Weekly partitions of history and attempts, made ahead of time, so that retention can drop whole
 * ones.
 */
@NullMarked
package dev.belay.store.partition;

import org.jspecify.annotations.NullMarked;
