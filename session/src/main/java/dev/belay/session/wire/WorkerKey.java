package dev.belay.session.wire;

import com.google.protobuf.ByteString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Authenticates a worker. Only {@link #text} reveals the secret. */
public final class WorkerKey {
  public static final int BYTES = 32;

  private final byte[] secret;

  private WorkerKey(byte[] secret) {
    this.secret = secret;
  }

  /**
   * @param random must be unpredictable
   */
  public static WorkerKey random(RandomGenerator random) {
    var secret = new byte[BYTES];
    random.nextBytes(secret);
    return new WorkerKey(secret);
  }

  /** Empty when the bytes are not a key. */
  public static Optional<WorkerKey> of(ByteString bytes) {
    return bytes.size() == BYTES
        ? Optional.of(new WorkerKey(bytes.toByteArray()))
        : Optional.empty();
  }

  /** Empty when the text is not a key. */
  public static Optional<WorkerKey> parse(String text) {
    try {
      return of(ByteString.copyFrom(Base64.getUrlDecoder().decode(text)));
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  public ByteString bytes() {
    return ByteString.copyFrom(secret);
  }

  /** For a file or a header; a secret. */
  public String text() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /** The hash that a server stores. */
  public byte[] hash() {
    return hash(bytes());
  }

  /** Hashes anything presented as a key. */
  public static byte[] hash(ByteString presented) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(presented.toByteArray());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WorkerKey that && MessageDigest.isEqual(secret, that.secret);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(secret);
  }

  @Override
  public String toString() {
    return "a worker's key";
  }
}
