/**
 * Belay and its peers on one PostgreSQL, in one run. Invariant: every system does the same work on
 * the same durable server while the others rest. One thread drives; what is measured runs in
 * processes of its own.
 */
@NullMarked
package dev.belay.benchmarks;

import org.jspecify.annotations.NullMarked;
