package dev.berth.workers.csi;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import java.util.Map;
import java.util.function.Function;

/**
 * A CSI call ready to be sent.
 *
 * @param method the RPC
 * @param request its request; holds secrets, therefore never printed
 * @param publishContext reads the publish context out of the answer
 */
record PreparedCall<Q extends Message, A extends Message>(
    MethodDescriptor<Q, A> method, Q request, Function<A, Map<String, String>> publishContext) {

  static <Q extends Message, A extends Message> PreparedCall<Q, A> of(
      MethodDescriptor<Q, A> method, Q request) {
    return new PreparedCall<>(method, request, answer -> Map.of());
  }

  @Override
  public String toString() {
    return "PreparedCall[" + method.getBareMethodName() + "]";
  }
}
