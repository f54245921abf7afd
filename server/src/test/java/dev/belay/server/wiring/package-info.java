/** Tests of whole replicas on real databases: leadership and health reports. */
@NullMarked
package dev.belay.server.wiring;

import org.jspecify.annotations.NullMarked;
