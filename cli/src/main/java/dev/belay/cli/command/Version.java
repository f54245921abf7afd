package dev.belay.cli.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that the build wrote beside the classes. */
public final class Version {

  private static final String RESOURCE = "/dev/belay/cli/version.properties";

  private Version() {}

  public static String current() {
    var properties = new Properties();
    try (var in = Version.class.getResourceAsStream(RESOURCE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
