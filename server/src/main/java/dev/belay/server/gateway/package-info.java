/** The gRPC side of the worker gateway: it moves messages and decides nothing. */
@NullMarked
package dev.belay.server.gateway;

import org.jspecify.annotations.NullMarked;
