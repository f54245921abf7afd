package dev.belay.fuzz.run;

import dev.belay.fuzz.request.Request;
import org.jspecify.annotations.Nullable;

/**
 * A fault of the server.
 *
 * @param request the cause; null when unknown
 * @param from the first request that may be the cause
 * @param to the last one
 */
public record Finding(String rule, String message, @Nullable Request request, long from, long to) {

  private static final int SIGNATURE_CHARS = 60;

  static Finding of(String rule, Request request, String message) {
    return new Finding(rule, message, request, request.number(), request.number());
  }

  /** Equal for what is probably the same fault. */
  String signature() {
    String where = request == null ? "" : request.kind();
    String text = message.replaceAll("[0-9a-f]{8}-[-0-9a-f]+|[0-9]+", "#");
    return rule + " " + where + " " + text.substring(0, Math.min(SIGNATURE_CHARS, text.length()));
  }

  /** The value of {@code --only} that reproduces it. */
  public String which() {
    return from == to ? Long.toString(from) : from + ".." + to;
  }
}
