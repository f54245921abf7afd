/** The owner of each log, checked before Belay stores any of its bytes. Stateless; any thread. */
@NullMarked
package dev.belay.store.log;

import org.jspecify.annotations.NullMarked;
