/** Rules of the gateway's end, one sentence each. One thread. */
@NullMarked
package dev.belay.session.gateway;

import org.jspecify.annotations.NullMarked;
