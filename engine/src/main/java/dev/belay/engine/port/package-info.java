/**
 * What the engine needs from outside: the store, the election, hints. The PostgreSQL store
 * implements them; so does whatever a simulation puts in their place.
 */
@NullMarked
package dev.belay.engine.port;

import org.jspecify.annotations.NullMarked;
