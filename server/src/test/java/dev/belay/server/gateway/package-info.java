/** Tests of the gRPC face of the worker gateway. */
@NullMarked
package dev.belay.server.gateway;

import org.jspecify.annotations.NullMarked;
