/**
 * What both ends of a session share: the checks before they trust a message, and what a worker
 * offers. Invariant: no state, and no exception for any input. Any thread.
 */
@NullMarked
package dev.belay.session.wire;

import org.jspecify.annotations.NullMarked;
