/**
 * PostgreSQL for tests, also of other modules (through the test jar): one server for the JVM, a
 * fresh database for whoever asks.
 *
 * <p>Any thread may ask for a database. The server ends with the JVM, by its watchdog.
 */
@NullMarked
package dev.belay.embedded.testing;

import org.jspecify.annotations.NullMarked;
