/** The statements of triggers, their ledger and the runs that they cause. */
@NullMarked
package dev.belay.store.schedule;

import org.jspecify.annotations.NullMarked;
