package dev.berth.streams.query;

import com.google.protobuf.Message;
import dev.berth.streams.topology.ProcessorStore;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.function.Function;

/**
 * A question that can be asked of every instance.
 *
 * @param store store that it is about
 * @param method its call, for asking the others
 * @param request the same request, as it is sent to the others
 * @param local answers it from partitions of this instance
 * @param <Q> request
 * @param <R> answer
 */
record Question<Q extends Message, R extends Message>(
    ProcessorStore store,
    MethodDescriptor<Q, R> method,
    Q request,
    Function<List<Reading>, R> local) {}
