package dev.belay.store.intake;

import java.util.HexFormat;

/**
 * Makes a request safe to repeat.
 *
 * @param value chosen by the caller, unique in the tenant
 * @param requestHash hexadecimal; equal requests have equal hashes
 */
public record IdempotencyKey(String tenant, String value, String requestHash) {

  public IdempotencyKey {
    HexFormat.of().parseHex(requestHash);
  }
}
