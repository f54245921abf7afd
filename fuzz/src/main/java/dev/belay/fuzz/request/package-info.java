/** Requests and answers as pure values. */
@NullMarked
package dev.belay.fuzz.request;

import org.jspecify.annotations.NullMarked;
