/** Identities as types. Invariant: an id of one kind never stands for another. */
@NullMarked
package dev.belay.domain.id;

import org.jspecify.annotations.NullMarked;
