@NullMarked
package dev.belay.server.api;

import org.jspecify.annotations.NullMarked;
