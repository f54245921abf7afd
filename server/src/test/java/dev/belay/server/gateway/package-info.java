/** Tests of the gRPC side of the worker gateway. */
@NullMarked
package dev.belay.server.gateway;

import org.jspecify.annotations.NullMarked;
