/**
 * PostgreSQL for tests, also in other modules (through the test jar): one server per JVM, a fresh
 * database for each caller.
 *
 * <p>Any thread may ask for a database. The watchdog ends the server with the JVM.
 */
@NullMarked
package dev.belay.embedded.testing;

import org.jspecify.annotations.NullMarked;
