package dev.belay.server.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhooks that a folder of files allows: {@code NAME.token} or {@code TENANT.NAME.token} with
 * the token, and a file with the ending {@code .hmac} beside it if bodies are signed. A hook exists
 * while its file does. Files are read when they are needed and remembered for a moment.
 * Thread-safe.
 */
public final class HookKeys {

  private static final Logger log = LoggerFactory.getLogger(HookKeys.class);
  private static final Pattern NAME =
      Pattern.compile("([a-z0-9][a-z0-9_-]{0,99}\\.)?[a-z0-9][a-z0-9_-]{0,99}");
  private static final Duration REMEMBERED = Duration.ofSeconds(2);
  private static final int REMEMBERED_MAX = 1_000;
  private static final String TOKEN = ".token";
  private static final String HMAC = ".hmac";
  private static final String ALGORITHM = "HmacSHA256";

  private final @Nullable Path folder;
  private final LongSupplier ticker;
  private final InstantSource clock;
  private final Map<String, Read> remembered = new LinkedHashMap<>();

  private record Read(Optional<Hook> hook, long at) {}

  /** What the files of a hook hold. */
  public static final class Hook {
    private final byte[] tokenHash;
    private final byte @Nullable [] key;

    private Hook(byte[] tokenHash, byte @Nullable [] key) {
      this.tokenHash = tokenHash;
      this.key = key;
    }

    public boolean hasToken(String token) {
      return MessageDigest.isEqual(tokenHash, sha256(token));
    }

    /** Whether its bodies must be signed. */
    public boolean isSigned() {
      return key != null;
    }

    /** The HMAC-SHA256 of a text. */
    public byte[] sign(byte[]... parts) {
      if (key == null) {
        throw new IllegalStateException("the hook has no key");
      }
      try {
        var mac = Mac.getInstance(ALGORITHM);
        mac.init(new SecretKeySpec(key, ALGORITHM));
        for (byte[] part : parts) {
          mac.update(part);
        }
        return mac.doFinal();
      } catch (NoSuchAlgorithmException | InvalidKeyException e) {
        throw new IllegalStateException("every JDK has " + ALGORITHM, e);
      }
    }
  }

  /**
   * @param folder null when there are no hooks
   * @param ticker monotonic nanoseconds
   */
  public HookKeys(@Nullable Path folder, LongSupplier ticker, InstantSource clock) {
    this.folder = folder;
    this.ticker = ticker;
    this.clock = clock;
  }

  /** Whether a time in a signature is near enough to now. */
  public boolean isTimely(Instant signed, Duration skew) {
    return Duration.between(signed, clock.instant()).abs().compareTo(skew) <= 0;
  }

  /**
   * Looks at all files once, so that mistakes are found at the start.
   *
   * @throws UnsafeToken when a file is open to other users or holds no usable token
   */
  public void check() throws IOException {
    if (folder == null) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder + " (the setting hook-dir)");
    }
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.endsWith(TOKEN) || name.endsWith(HMAC)) {
          TokenFile.read(file);
        }
      }
    }
  }

  /** The hook of this name, if there is one that can be trusted. */
  public Optional<Hook> find(String name) {
    Path in = folder;
    if (in == null || !NAME.matcher(name).matches()) {
      return Optional.empty();
    }
    long now = ticker.getAsLong();
    synchronized (remembered) {
      Read known = remembered.get(name);
      if (known != null && now - known.at() < REMEMBERED.toNanos()) {
        return known.hook();
      }
    }
    Optional<Hook> hook = read(in, name);
    synchronized (remembered) {
      if (remembered.size() >= REMEMBERED_MAX) {
        remembered.clear();
      }
      remembered.put(name, new Read(hook, now));
    }
    return hook;
  }

  private static Optional<Hook> read(Path folder, String name) {
    try {
      String token = TokenFile.read(folder.resolve(name + TOKEN));
      Path key = folder.resolve(name + HMAC);
      return Optional.of(
          new Hook(
              sha256(token),
              Files.exists(key) ? TokenFile.read(key).getBytes(StandardCharsets.UTF_8) : null));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException untrusted) {
      log.atWarn()
          .addKeyValue("hook", name)
          .addKeyValue("why", untrusted.toString())
          .log("a webhook cannot be used");
      return Optional.empty();
    }
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
