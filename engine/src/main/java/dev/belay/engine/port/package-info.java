/**
 * Ports of the engine: the store, the election, hints. The PostgreSQL store implements them, and so
 * does the simulation's model.
 */
@NullMarked
package dev.belay.engine.port;

import org.jspecify.annotations.NullMarked;
