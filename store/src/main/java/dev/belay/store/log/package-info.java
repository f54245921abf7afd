/** Whose log is whose: asked before a byte of a log is stored. Stateless; any thread. */
@NullMarked
package dev.belay.store.log;

import org.jspecify.annotations.NullMarked;
