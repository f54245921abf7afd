package dev.belay.server.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Identifies callers by the hashes of their tokens. */
public final class Tokens {

  private static final String SCHEME = "bearer ";
  private static final CallerIdentity API =
      new CallerIdentity(
          "api",
          EnumSet.of(
              CallPermission.PUBLIC,
              CallPermission.READ,
              CallPermission.SUBMIT,
              CallPermission.STEER,
              CallPermission.ADMIN));
  private static final CallerIdentity WORKER =
      new CallerIdentity("worker", EnumSet.of(CallPermission.PUBLIC, CallPermission.JOIN));

  private final byte[] apiHash;
  private final byte[] joinHash;

  private Tokens(byte[] apiHash, byte[] joinHash) {
    this.apiHash = apiHash;
    this.joinHash = joinHash;
  }

  /**
   * Reads both files and creates missing ones with mode 0600.
   *
   * @throws UnsafeToken when a file is open to other users or holds no usable token
   */
  public static Tokens load(Path apiFile, Path joinFile, SecureRandom random) throws IOException {
    var tokens =
        new Tokens(
            sha256(TokenFile.load(apiFile, random)), sha256(TokenFile.load(joinFile, random)));
    if (MessageDigest.isEqual(tokens.apiHash, tokens.joinHash)) {
      throw new UnsafeToken(
          "The files "
              + apiFile
              + " and "
              + joinFile
              + " hold the same token, so that every"
              + " worker could use the API. Delete one to have a new one made.");
    }
    return tokens;
  }

  /**
   * The caller behind a header.
   *
   * @param authorization the value of the Authorization header
   */
  public Optional<CallerIdentity> caller(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    var hash = sha256(authorization.substring(SCHEME.length()).strip());
    var isApi = MessageDigest.isEqual(hash, apiHash);
    var isWorker = MessageDigest.isEqual(hash, joinHash);
    if (isApi) {
      return Optional.of(API);
    }
    return isWorker ? Optional.of(WORKER) : Optional.empty();
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
