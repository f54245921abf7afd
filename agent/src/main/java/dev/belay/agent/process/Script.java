package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Starts one of our shell scripts in its own session, out of reach of the agent's signals. */
record Script(String setsid, String resource, String name) {

  Process start(String argument) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(setsid, "/bin/sh", "-c", read("end.sh") + read(resource), name, argument));
    Map<String, String> env = builder.environment();
    String path = env.getOrDefault("PATH", TaskEnvironment.DEFAULT_PATH);
    env.clear();
    env.put("PATH", path);
    return builder
        .directory(new File("/"))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static String read(String resource) throws IOException {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    }
  }
}
