@NullMarked
package dev.belay.server.retention;

import org.jspecify.annotations.NullMarked;
