/**
 * Checks that both ends of a session share, before they trust a message. Invariant: no state, and
 * no exception for any input. Any thread.
 */
@NullMarked
package dev.belay.session.wire;

import org.jspecify.annotations.NullMarked;
