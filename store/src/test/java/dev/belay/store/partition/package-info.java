/** Tests of partitions, constraints and query plans: what the schema itself must hold. */
@NullMarked
package dev.belay.store.partition;

import org.jspecify.annotations.NullMarked;
