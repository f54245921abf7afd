package dev.belay.store.intake;

import java.util.HexFormat;

/**
 * What makes a request repeatable.
 *
 * @param value chosen by the caller, unique in the tenant
 * @param requestHash hexadecimal; the same for the same request
 */
public record IdempotencyKey(String tenant, String value, String requestHash) {

  public IdempotencyKey {
    HexFormat.of().parseHex(requestHash);
  }
}
