package dev.belay.agent.process;

/**
 * Takes the raw output of one dispatch. Called by the pump thread only; must not block for long.
 */
public interface LogSink extends AutoCloseable {

  enum Stream {
    OUT,
    ERR
  }

  /** The first {@code length} bytes of {@code data} arrived; the array is reused afterwards. */
  void write(Stream stream, byte[] data, int length);

  /** Nothing came for a short while: show what is there, also an unfinished line. */
  void quiet();

  /** How much output could not be kept, because the disk was full or broken. */
  default long lostBytes() {
    return 0;
  }

  /** No more will come. */
  @Override
  void close();
}
