/** One server process: wiring, REST API, worker gateway, auth, health, metrics. */
@NullMarked
package dev.belay.server;

import org.jspecify.annotations.NullMarked;
