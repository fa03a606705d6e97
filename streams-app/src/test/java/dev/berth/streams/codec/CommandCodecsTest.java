package dev.berth.streams.codec;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import dev.berth.streams.command.VolumeSpec;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Codecs of commands")
class CommandCodecsTest {

  @Test
  @DisplayName("bring every volume registration back as it was")
  void volumeSpecs() {
    RoundTrip.check(CommandCodecs.VOLUME_SPEC, random -> spec(new Draw(random)));
  }

  @Test
  @DisplayName("bring every command back as it was")
  void commands() {
    RoundTrip.check(CommandCodecs.COMMAND, CommandCodecsTest::command);
  }

  @Test
  @DisplayName("bring every answer back as it was")
  void answers() {
    RoundTrip.check(CommandCodecs.ANSWER, random -> answer(new Draw(random)));
  }

  static Command command(Random random) {
    Draw draw = new Draw(random);
    return new Command(draw.text(), draw.text(), draw.text(), draw.time(), body(draw));
  }

  private static Command.Body body(Draw draw) {
    return draw.<Command.Body>oneOf(
        () -> new Command.RegisterVolume(spec(draw)),
        () -> new Command.DeregisterVolume(draw.text(), draw.text(), draw.flag()),
        () -> new Command.DetachVolume(draw.text(), draw.text(), draw.text()),
        () -> new Command.RetryVolume(draw.text(), draw.text(), draw.orNull(draw::text)),
        () -> new Command.AssumeDetached(draw.text(), draw.text(), draw.text()),
        () -> new Command.UnblockVolume(draw.text(), draw.text()),
        () -> new Command.FenceNode(draw.text()),
        () -> new Command.UnfenceNode(draw.text()),
        Command.CollectGarbage::new,
        () -> new Command.PausePlugin(draw.text()),
        () -> new Command.ResumePlugin(draw.text()));
  }

  static VolumeSpec spec(Draw draw) {
    return new VolumeSpec(
        draw.text(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.list(
            () ->
                new VolumeSpec.Capability(
                    draw.of(AccessMode.class), draw.of(AttachmentMode.class))),
        draw.texts(),
        draw.texts(),
        draw.texts(),
        draw.orNull(draw::text),
        draw.list(draw::text),
        draw.list(draw::texts));
  }

  private static Answer answer(Draw draw) {
    return new Answer(
        draw.text(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.orNull(() -> draw.of(Refusal.class)),
        draw.text(),
        draw.time());
  }
}
