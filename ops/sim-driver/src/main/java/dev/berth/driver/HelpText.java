package dev.berth.driver;

/** What the command says of itself. */
final class HelpText {

  static final String TEXT =
      """
      Runs one instance of a simulated CSI plugin until it is told to stop.

      usage: berth-sim-driver (--socket PATH | --port N) --spec FILE [--log FILE] [--state-dir DIR]

        --socket PATH    unix socket to serve on; a dead one is replaced
        --port N         TCP port of 127.0.0.1 to serve on; 0 takes a free one
        --spec FILE      properties, see below
        --log FILE       every call as JSON lines, appended
        --state-dir DIR  where the provider's state survives the process
        --help           this text

      Prints 'ready ENDPOINT' once it serves. Exit codes: 0 help, 1 cannot serve,
      2 wrong arguments or settings, 143 stopped by SIGTERM.

      settings (with what they are if left out)
        plugin                        name of the plugin (required)
        version                       1.0.0
        instance                      name in the log: node-id, else 'controller'
        node-id                       provider's id of the node; none: no node service
        max-volumes                   slots that the node reports: 0, no limit
        roles                         controller, node: all that the other settings allow
        controller                    the plugin has a controller: true
        attach                        it can attach: as controller
        publish-readonly              it honours read-only: as attach
        list-volumes                  it can list: as controller
        list-published                the list names nodes: as attach and list-volumes
        stage                         it stages before it publishes: true
        single-node-multi-writer      it knows access modes 6 and 7: false
        controller-latency            none | 200ms | uniform:MIN:MAX | log-normal:MEDIAN:SIGMA[:MAX]
        node-latency                  the same: none
        seed                          for the times drawn: 0
        provider.device-name-race     attaches open together for one node fail: true
        provider.concurrency          abort-per-volume | abort-per-volume-and-node | allow
        provider.auto-create          volumes on first use: no | single-node | multi-node
        provider.single-node-volumes  ids, separated by commas
        provider.multi-node-volumes   ids, separated by commas
        provider.nodes                ID[:SLOTS], separated by commas
        rule.1, rule.2, ...           what some calls get; the last one that applies wins:
          rpc=CP,CU,... volume=ID node=ID calls=N[-M] latency=... finish-after-cancel=true
          do=answer | fail | hang | lose-reply | fail-after-effect | not-ready
          code=UNAVAILABLE message=the rest of the line
      """;

  private HelpText() {}
}
