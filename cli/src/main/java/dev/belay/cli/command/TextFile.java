package dev.belay.cli.command;

import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file that a person named. */
public final class TextFile {

  /** The largest request that a server takes. */
  private static final int MAX_BYTES = 8 << 20;

  private TextFile() {}

  public static String read(Path file) throws CommandFailed {
    try {
      if (Files.isDirectory(file)) {
        throw new IOException("it is a folder");
      }
      byte[] bytes;
      try (var in = Files.newInputStream(file)) {
        bytes = in.readNBytes(MAX_BYTES + 1);
      }
      if (bytes.length > MAX_BYTES) {
        throw new IOException("it is larger than " + (MAX_BYTES >> 20) + " MiB");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw failed(file, "it is not UTF-8 text", e);
    } catch (IOException e) {
      throw failed(file, ConnectionFinder.reason(e), e);
    }
  }

  private static CommandFailed failed(Path file, String why, IOException e) {
    return new CommandFailed(
        ExitCode.USAGE, "Cannot read %s: %s. Name a readable file.".formatted(file, why), e);
  }
}
