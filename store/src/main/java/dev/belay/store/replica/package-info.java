/** Replicas say that they can write; the silence of their workers counts only then. */
@NullMarked
package dev.belay.store.replica;

import org.jspecify.annotations.NullMarked;
