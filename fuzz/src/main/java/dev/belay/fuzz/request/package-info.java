/** What is sent and what came back. Pure values. */
@NullMarked
package dev.belay.fuzz.request;

import org.jspecify.annotations.NullMarked;
