import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ListenerName, Transport } from '../contract/intake.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { createClockWatch } from '../telemetry/clockWatch.ts';
import { type Accept, emptyReport, type Origin } from '../telemetry/terminalReport.ts';
import { createCommandLinks, createTerminalLinks } from '../telemetry/intake/terminalLinks.ts';
import { createListenerMonitor, type ListenerMonitor } from '../telemetry/intake/rejections.ts';
import type { IntakeDeps } from '../telemetry/intake/protocolHandler.ts';
import { listenJt808 } from '../telemetry/intake/jt808Listener.ts';
import type { Listener } from '../telemetry/intake/listener.ts';
import { openMovable, type RebindableListener } from '../telemetry/intake/rebindableListener.ts';
import { listenTcpAndUdp } from '../telemetry/intake/listenTcpAndUdp.ts';
import { listenOsmand } from '../telemetry/intake/osmandListener.ts';
import { createTeltonika } from '../telemetry/intake/teltonikaHandler.ts';
import { createWialon } from '../telemetry/intake/wialonHandler.ts';
import type { WrongPorts } from '../telemetry/intake/wrongPort.ts';
import { countIntake, type IntakeCounts } from '../telemetry/intakeCounter.ts';
import type { WatchedListener } from '../telemetry/intakeRoutes.ts';
import { redactAuthCode } from '../telemetry/protocols/jt808/message.ts';
import type { Redact } from '../telemetry/protocols/redact.ts';
import { redactPassword } from '../telemetry/protocols/wialon/packets.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

/** Where terminals come in, and what has come by there. */
export interface ListenerInfo {
  /** What it understands, in words. */
  protocol: string;
  transports: readonly Transport[];
  listener: RebindableListener;
  counts: IntakeCounts;
  /** Null: what comes by is no messages. */
  watch: ListenerMonitor | null;
  wrongPorts: WrongPorts;
}

/** Those that are open. */
export type Listeners = Partial<Record<ListenerName, ListenerInfo>>;

export type Intake = ReturnType<typeof createIntake>;

interface ListenerPlan {
  name: ListenerName;
  protocol: string;
  transports: readonly Transport[];
  port: number;
  /** What of its bytes is neither kept nor logged. */
  redact?: Redact;
  open(port: number, host: string, deps: IntakeDeps): Promise<Listener>;
}

export function createIntake(deps: {
  config: Pick<Config, 'osmandPort' | 'teltonikaPort' | 'wialonPort' | 'jt808Port'>;
  accept: Accept;
  settings: () => SettingsFields;
  vehicles: Vehicles;
  clock: Clock;
  log: Logger;
}) {
  const { config, vehicles, clock, log } = deps;
  const listeners: Listeners = {};
  const links = createTerminalLinks();
  const commands = createCommandLinks();
  const portOf = (name: ListenerName) => listeners[name]?.listener.port ?? null;
  const isKnown = (terminalId: string) => vehicles.byTerminal(terminalId) !== undefined;

  /** A heartbeat takes the path of the positions; one of an unknown terminal belongs to no vehicle. */
  async function heard(terminal_id: string, origin: Origin): Promise<void> {
    if (!isKnown(terminal_id)) return;
    await deps.accept([{ ...emptyReport, terminal_id, isSignOfLife: true }], origin);
  }

  const clocks = createClockWatch({
    offsetOf: (terminalId) => vehicles.byTerminal(terminalId)?.clock_offset_s ?? null,
    clock,
    log,
  });
  const watched = clocks.over(deps.accept);

  const depotLimits = () => {
    const { intake_connections, intake_connections_per_address, intake_idle_s } = deps.settings();
    return {
      connections: intake_connections,
      connectionsPerAddress: intake_connections_per_address,
      idleMs: intake_idle_s * 1_000,
    };
  };
  const speedUnit = () => deps.settings().osmand_speed_unit;
  const teltonika = createTeltonika({ isKnown, heard, commands, clock });
  const wialon = createWialon({ isKnown, heard });
  const plans: ListenerPlan[] = [
    {
      name: 'osmand',
      protocol: 'OsmAnd and Traccar Client',
      transports: ['http'],
      port: config.osmandPort,
      open: (port, host, given) => listenOsmand(port, host, { ...given, speedUnit }),
    },
    {
      name: 'teltonika',
      protocol: 'Teltonika Codec 8, 8 Extended and 16',
      transports: ['tcp', 'udp'],
      port: config.teltonikaPort,
      open: (port, host, given) => listenTcpAndUdp(port, host, teltonika, given),
    },
    {
      name: 'wialon',
      protocol: 'Wialon IPS 1.1 and 2.0',
      transports: ['tcp', 'udp'],
      port: config.wialonPort,
      redact: redactPassword,
      open: (port, host, given) => listenTcpAndUdp(port, host, wialon, given),
    },
    {
      name: 'jt808',
      protocol: 'JT/T 808, 2011 to 2019',
      transports: ['tcp'],
      port: config.jt808Port,
      redact: redactAuthCode,
      open: (port, host, given) => listenJt808(port, host, { ...given, isKnown, heard, links, commands }),
    },
  ];

  async function openPlanned(plan: ListenerPlan, host: string): Promise<ListenerInfo> {
    const { name, protocol, transports, redact } = plan;
    const { accept, counts } = countIntake(watched, clock);
    const watch = createListenerMonitor(name, { clock, log, portOf, ...(redact && { redact }) });
    const open = (port: number, at: string) =>
      plan.open(port, at, { accept, depotLimits, clock, log, watch });
    const listener = await openMovable(open, plan.port, host, { clock, log, listener: name });
    return { protocol, transports, listener, counts, watch, wrongPorts: watch.wrongPorts };
  }

  return {
    listeners,
    /** The terminals that can be asked for something. */
    links,
    /** Terminals that accept commands, over any protocol. */
    commands,
    /** Terminals whose vehicle should be set to another clock offset. */
    clocks,
    /** Opens one listener after another at this address of the machine; rejects when a port cannot be opened. */
    async open(host: string): Promise<void> {
      for (const plan of plans) listeners[plan.name] = await openPlanned(plan, host);
    },
    /** Adds a listener that is already open; it is listed, rebound and closed with the others. */
    add(name: ListenerName, listenerName: ListenerInfo): void {
      listeners[name] = listenerName;
    },
    /**
     * Closes the connections of all listeners once what they received is stored and answered, and opens them at another
     * address on the same ports. Rejects, with the listeners at their former address, when one of them cannot be opened
     * there.
     */
    async rebind(host: string): Promise<void> {
      const open = Object.values(listeners).map((it) => it.listener);
      const former = open.map((it) => it.host);
      const moves = await Promise.allSettled(open.map((it) => it.rebind(host)));
      const failed = moves.find((it) => it.status === 'rejected');
      if (failed === undefined) return;
      await Promise.allSettled(open.map((it, at) => it.rebind(former[at] ?? host)));
      throw failed.reason;
    },
    portOf,
    /** The port of each listener; null for one that does not exist. */
    ports: (): Record<ListenerName, number | null> => ({
      osmand: portOf('osmand'),
      teltonika: portOf('teltonika'),
      wialon: portOf('wialon'),
      jt808: portOf('jt808'),
      jt1078: portOf('jt1078'),
    }),
    /** Closes them; what was taken is stored and answered. */
    async close(): Promise<void> {
      await Promise.all(Object.values(listeners).map((it) => it.listener.close()));
    },
  };
}

/** Those whose messages can be looked at. */
export function monitoredListeners(listeners: Readonly<Listeners>): WatchedListener[] {
  return (Object.entries(listeners) as [ListenerName, ListenerInfo][]).flatMap(
    ([name, { transports, watch }]) => (watch === null ? [] : [{ name, transports, messages: watch.record }]),
  );
}
