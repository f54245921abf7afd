package dev.belay.domain.deadletter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Groups dead letters with the same cause. Two details that differ only in numbers, ids or paths
 * have the same fingerprint.
 *
 * @param text the detail without what differs from one task to the next, for people
 * @param hash of the reason and the text, 16 hexadecimal digits
 */
public record Fingerprint(String text, String hash) {

  /** A longer detail is cut, which also bounds the work. */
  private static final int CHARS_MAX = 500;

  private static final int HASH_BYTES = 8;

  private static final Pattern ID =
      Pattern.compile(
          "\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b");

  /** At least one separator after its first character, so a single slash or word is no path. */
  private static final Pattern PATH =
      Pattern.compile("(?:~|\\.{1,2})?(?:/[^\\s/:;,'\"()<>]+){2,}/?|\\b[A-Za-z]:\\\\[^\\s'\"<>|]+");

  private static final Pattern HEX =
      Pattern.compile("\\b(?:0x[0-9a-fA-F]+|(?=[a-f]*[0-9])[0-9a-f]{8,})\\b");

  /** An exit code and a signal tell causes apart; other numbers do not. */
  private static final Pattern NUMBER =
      Pattern.compile("(?<!exit_code: )(?<!exit_code )(?<![A-Za-z0-9_-])[0-9]+(?:[.,:][0-9]+)*");

  private static final Pattern SPACE = Pattern.compile("\\s+");

  public static Fingerprint of(DeadLetterReason reason, String detail) {
    String cut = detail.length() <= CHARS_MAX ? detail : detail.substring(0, CHARS_MAX);
    String text = ID.matcher(cut).replaceAll("<id>");
    text = PATH.matcher(text).replaceAll("<path>");
    text = HEX.matcher(text).replaceAll("<hex>");
    text = NUMBER.matcher(text).replaceAll("<n>");
    text = SPACE.matcher(text).replaceAll(" ").strip();
    return new Fingerprint(text, hash(reason.word() + '\n' + text));
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
