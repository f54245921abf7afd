/** Ids as types. Invariant: an id of one kind cannot be passed where another kind is expected. */
@NullMarked
package dev.belay.domain.id;

import org.jspecify.annotations.NullMarked;
