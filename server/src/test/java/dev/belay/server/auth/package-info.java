@NullMarked
package dev.belay.server.auth;

import org.jspecify.annotations.NullMarked;
