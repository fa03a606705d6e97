package dev.berth.bench.table;

import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.ProcessorWrapper;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.WrappedFixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.WrappedProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Tapes what the processors of a topology do: stands between them and what Kafka Streams gives
 * them. Made by Kafka Streams, from its settings.
 */
public final class Recorder implements ProcessorWrapper {
  /** Setting: the {@link Tape}. */
  static final String TAPE = "berth.bench.tape";

  /** Setting: the {@link Topics}. */
  static final String TOPICS = "berth.bench.topics";

  private @Nullable Tape tape;
  private @Nullable Topics topics;

  /** Made by Kafka Streams. */
  public Recorder() {}

  @Override
  public void configure(Map<String, ?> settings) {
    tape = (Tape) settings.get(TAPE);
    topics = (Topics) settings.get(TOPICS);
  }

  @Override
  public <A, B, C, D> WrappedProcessorSupplier<A, B, C, D> wrapProcessorSupplier(
      String name, ProcessorSupplier<A, B, C, D> supplier) {
    if (tape == null || topics == null) {
      throw new IllegalStateException(TAPE + " or " + TOPICS + " is not set");
    }
    Tape to = tape;
    Topics known = topics;
    return ProcessorWrapper.asWrapped(
        new ProcessorSupplier<>() {
          @Override
          public Processor<A, B, C, D> get() {
            return new Taped<>(name, supplier.get(), to, known);
          }

          @Override
          public @Nullable Set<StoreBuilder<?>> stores() {
            return supplier.stores();
          }
        });
  }

  @Override
  public <A, B, C> WrappedFixedKeyProcessorSupplier<A, B, C> wrapFixedKeyProcessorSupplier(
      String name, FixedKeyProcessorSupplier<A, B, C> supplier) {
    return ProcessorWrapper.asWrappedFixedKey(supplier);
  }

  private static final class Taped<A, B, C, D> implements Processor<A, B, C, D> {
    private final String name;
    private final Processor<A, B, C, D> processor;
    private final Tape tape;
    private final Topics topics;
    private @Nullable ProcessorContext<C, D> context;

    Taped(String name, Processor<A, B, C, D> processor, Tape tape, Topics topics) {
      this.name = name;
      this.processor = processor;
      this.tape = tape;
      this.topics = topics;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void init(ProcessorContext<C, D> given) {
      context = given;
      processor.init(
          (ProcessorContext<C, D>)
              TapedStore.between(ProcessorContext.class, new OnContext(given, tape)));
    }

    @Override
    public void process(Record<A, B> record) {
      Optional<Topic> source =
          Optional.ofNullable(context)
              .flatMap(ProcessorContext::recordMetadata)
              .flatMap(from -> topics.find(from.topic()));
      if (source.isPresent() && record.value() instanceof byte[] value) {
        tape.begin(name, source.get(), value);
        processor.process(record);
        tape.end();
      } else {
        processor.process(record);
      }
    }

    @Override
    public void close() {
      processor.close();
    }
  }

  /** Notes what is sent, and hands out stores that are taped. */
  private record OnContext(ProcessorContext<?, ?> context, Tape tape) implements InvocationHandler {
    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (method.getName().equals("forward")
          && arguments != null
          && arguments.length == 2
          && arguments[0] instanceof Record<?, ?> sent) {
        tape.add(
            new Tape.Touch(
                Tape.Kind.FORWARD,
                String.valueOf(sent.key()),
                null,
                0,
                sent.value() instanceof byte[] bytes ? bytes : null,
                String.valueOf(arguments[1]),
                sent.headers()));
      }
      Object result = TapedStore.call(context, method, arguments);
      return result instanceof KeyValueStore<?, ?> store
          ? TapedStore.between(KeyValueStore.class, new TapedStore(store, tape))
          : result;
    }
  }
}
