package dev.belay.simulation.model;

import java.util.function.Function;

/** Runs statements: inside a transaction, or each in its own. */
interface Session {

  <T> T statement(Function<ModelStatement, T> work);
}
