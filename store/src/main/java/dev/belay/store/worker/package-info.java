/**
 * The rows of workers and their mailboxes. Any replica; writes are guarded by session and
 * connection.
 */
@NullMarked
package dev.belay.store.worker;

import org.jspecify.annotations.NullMarked;
