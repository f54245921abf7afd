/** Tests of the schema itself: partitions, constraints and query plans. */
@NullMarked
package dev.belay.store.partition;

import org.jspecify.annotations.NullMarked;
