/** Limits: the buckets of rate limits, and the tasks that a full concurrency key ends. */
@NullMarked
package dev.belay.store.limit;

import org.jspecify.annotations.NullMarked;
