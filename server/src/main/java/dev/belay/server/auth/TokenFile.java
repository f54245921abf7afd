package dev.belay.server.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A secret in a file that only its owner can read. */
final class TokenFile {

  private static final int RANDOM_BYTES = 32;
  private static final int CHARS_MIN = 32;
  private static final int CHARS_MAX = 512;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private TokenFile() {}

  /** The token in the file; creates a missing file. */
  static String load(Path file, RandomGenerator random) throws IOException {
    if (Files.notExists(file)) {
      create(file, random);
    }
    return read(file);
  }

  /** The token in a file that must be there. */
  static String read(Path file) throws IOException {
    refuseOthers(file);
    if (Files.size(file) > CHARS_MAX) {
      throw unusable(file, "is too long for a token");
    }
    var token = Files.readString(file, StandardCharsets.UTF_8).strip();
    if (token.length() < CHARS_MIN || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw unusable(
          file, "does not hold a token of at least " + CHARS_MIN + " printable characters");
    }
    return token;
  }

  /** Writes and links a new file: no reader sees half a token, and two creators agree on one. */
  private static void create(Path file, RandomGenerator random) throws IOException {
    var bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    var folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    var aside =
        Files.createTempFile(
            folder, ".token", null, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    try {
      Files.writeString(
          aside, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "\n");
      Files.createLink(file, aside);
    } catch (FileAlreadyExistsException e) {
      // Another process created it first: its token wins.
      return;
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  private static void refuseOthers(Path file) throws IOException {
    var permissions = EnumSet.copyOf(Files.getPosixFilePermissions(file));
    permissions.removeAll(
        EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE));
    if (!permissions.isEmpty()) {
      throw new UnsafeToken(
          "The token file " + file + " is open to other users. Run: chmod 600 " + file);
    }
  }

  private static UnsafeToken unusable(Path file, String why) {
    return new UnsafeToken(
        "The token file " + file + " " + why + ". Delete it to have a new one made.");
  }
}
