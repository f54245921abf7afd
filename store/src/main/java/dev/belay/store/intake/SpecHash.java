package dev.belay.store.intake;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes of specs: equal specs have equal ones. */
public final class SpecHash {

  private SpecHash() {}

  public static byte[] of(String spec) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(spec.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
