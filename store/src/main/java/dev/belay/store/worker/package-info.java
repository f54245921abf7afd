/**
 * The rows of workers and their mailboxes. Any replica; session and connection guard the writes.
 */
@NullMarked
package dev.belay.store.worker;

import org.jspecify.annotations.NullMarked;
