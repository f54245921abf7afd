/** Tests of the rows of workers and their mailboxes. */
@NullMarked
package dev.belay.store.worker;

import org.jspecify.annotations.NullMarked;
