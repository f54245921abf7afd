/** The statements of triggers that wait for other runs and for events, and what became of each. */
@NullMarked
package dev.belay.store.trigger;

import org.jspecify.annotations.NullMarked;
