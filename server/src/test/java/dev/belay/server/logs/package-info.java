@NullMarked
package dev.belay.server.logs;

import org.jspecify.annotations.NullMarked;
