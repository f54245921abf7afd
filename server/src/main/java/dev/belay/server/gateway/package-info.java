/** The gRPC face of the worker gateway: streams in, streams out. Decides nothing. */
@NullMarked
package dev.belay.server.gateway;

import org.jspecify.annotations.NullMarked;
