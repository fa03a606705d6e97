package dev.berth.streams.codec;

import dev.berth.streams.work.Call;

/** Codec of calls. */
public final class CallCodec {
  /** A call as lane requests and work carry it. */
  public static final Codec<Call, dev.berth.records.Call> CALL =
      new Codec<>(Call.class, dev.berth.records.Call.class, CallCodec::encode, CallCodec::decode);

  private CallCodec() {}

  private static dev.berth.records.Call encode(Call call) {
    return dev.berth.records.Call.newBuilder()
        .setRpc(call.rpc())
        .setNamespace(call.namespace())
        .setVolume(call.volume())
        .setAlloc(call.alloc())
        .setNode(call.node())
        .setExternalVolume(call.externalVolume())
        .setExternalNode(call.externalNode())
        .setAccess(call.access())
        .setAttachment(call.attachment())
        .setReadOnly(call.readOnly())
        .setFsType(call.fsType())
        .setMountFlags(call.mountFlags())
        .setContext(call.context())
        .setPublishContext(call.publishContext())
        .setSecrets(call.secrets())
        .build();
  }

  private static Call decode(dev.berth.records.Call call) {
    return new Call(
        call.getRpc(),
        call.getNamespace(),
        call.getVolume(),
        call.getAlloc().orElse(null),
        call.getNode(),
        call.getExternalVolume(),
        call.getExternalNode().filter(id -> !id.isEmpty()).orElse(null),
        call.getAccess(),
        call.getAttachment(),
        call.getReadOnly(),
        call.getFsType().orElse(null),
        call.getMountFlags(),
        call.getContext(),
        call.getPublishContext(),
        call.getSecrets());
  }
}
