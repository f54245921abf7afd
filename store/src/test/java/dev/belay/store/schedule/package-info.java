/** Tests of triggers and their ledger. */
@NullMarked
package dev.belay.store.schedule;

import org.jspecify.annotations.NullMarked;
