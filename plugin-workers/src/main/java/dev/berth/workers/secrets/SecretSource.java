package dev.berth.workers.secrets;

/** Where secret values are kept. */
@FunctionalInterface
public interface SecretSource {

  /** Looks a reference up; called for each call anew, from many threads. */
  Lookup find(SecretReference reference);

  /** What was found. */
  sealed interface Lookup {

    /**
     * A value.
     *
     * @param value the value; never printed
     */
    record Found(String value) implements Lookup {
      @Override
      public String toString() {
        return "Found[value hidden]";
      }
    }

    /**
     * No value.
     *
     * @param why the reason, without any value
     */
    record Missing(String why) implements Lookup {}
  }
}
