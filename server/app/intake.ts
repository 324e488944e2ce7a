import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { DoorName, Transport } from '../contract/intake.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { createClockWatch, type ClockWatch } from '../telemetry/clockWatch.ts';
import type { Accept } from '../telemetry/gateway/accept.ts';
import { createCommandLinks, type CommandLinks } from '../telemetry/gateway/commandLinks.ts';
import { createDoorWatch, type DoorWatch } from '../telemetry/gateway/doorWatch.ts';
import type { IntakeParts } from '../telemetry/gateway/intakeProtocol.ts';
import { listenJt808 } from '../telemetry/gateway/jt808Listener.ts';
import type { Listener } from '../telemetry/gateway/listener.ts';
import { openMovable, type MovableListener } from '../telemetry/gateway/movableListener.ts';
import { openDoor } from '../telemetry/gateway/openDoor.ts';
import { listenOsmand } from '../telemetry/gateway/osmandListener.ts';
import { createTeltonika } from '../telemetry/gateway/teltonikaConversation.ts';
import { createTerminalLinks, type TerminalLinks } from '../telemetry/gateway/terminalLinks.ts';
import { createWialon } from '../telemetry/gateway/wialonConversation.ts';
import { countIntake, type IntakeCounts } from '../telemetry/intakeCounter.ts';
import type { WatchedDoor } from '../telemetry/intakeRoutes.ts';
import { veilCode } from '../telemetry/protocols/jt808/veilCode.ts';
import type { Veil } from '../telemetry/protocols/veil.ts';
import { veilPassword } from '../telemetry/protocols/wialon/veilPassword.ts';
import { emptyReport, type Origin } from '../telemetry/report.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

/** Where terminals come in, and what has come by there. */
export interface Door {
  /** What it understands, in words. */
  protocol: string;
  transports: readonly Transport[];
  listener: MovableListener;
  counts: IntakeCounts;
  /** Null: what comes by is no messages. */
  watch: DoorWatch | null;
}

/** Those that are open. */
export type Doors = Partial<Record<DoorName, Door>>;

export interface Intake {
  readonly doors: Readonly<Doors>;
  /** The terminals that can be asked for something. */
  readonly links: TerminalLinks;
  /** Those that can be told something, by whatever protocol. */
  readonly commands: CommandLinks;
  /** Terminals whose vehicle should be set to another clock offset. */
  readonly clocks: ClockWatch;
  /** Opens one door after the other at this address of the machine; rejects when a port cannot be had. */
  open(host: string): Promise<void>;
  /** Takes over a door that is open, to be told of, moved and closed with the others. */
  add(name: DoorName, door: Door): void;
  /**
   * Ends the connections of all doors, what was taken is stored and answered, and opens them at another address on the
   * ports that they have. Rejects, with the doors at their former address, when one of them cannot be had there.
   */
  moveTo(host: string): Promise<void>;
  /** The port of each door; null for one that is not there. */
  ports(): Record<DoorName, number | null>;
  /** Closes them; what was taken is stored and answered. */
  close(): Promise<void>;
}

interface DoorPlan {
  name: DoorName;
  protocol: string;
  transports: readonly Transport[];
  port: number;
  /** What of its bytes is neither kept nor logged. */
  veil?: Veil;
  open(port: number, host: string, parts: IntakeParts): Promise<Listener>;
}

export function createIntake(parts: {
  config: Pick<Config, 'osmandPort' | 'teltonikaPort' | 'wialonPort' | 'jt808Port'>;
  accept: Accept;
  settings: () => SettingsFields;
  vehicles: Vehicles;
  clock: Clock;
  log: Logger;
}): Intake {
  const { config, vehicles, clock, log } = parts;
  const doors: Doors = {};
  const links = createTerminalLinks();
  const commands = createCommandLinks();
  const portOf = (name: DoorName) => doors[name]?.listener.port ?? null;
  const isKnown = (terminalId: string) => vehicles.byTerminal(terminalId) !== undefined;

  /** A sign of life goes the road of the positions; a stranger's is none of a vehicle. */
  async function heard(terminal_id: string, origin: Origin): Promise<void> {
    if (!isKnown(terminal_id)) return;
    await parts.accept([{ ...emptyReport, terminal_id, isSignOfLife: true }], origin);
  }

  const clocks = createClockWatch({
    offsetOf: (terminalId) => vehicles.byTerminal(terminalId)?.clock_offset_s ?? null,
    clock,
    log,
  });
  const watched = clocks.over(parts.accept);

  const depotLimits = () => {
    const { intake_connections, intake_connections_per_address, intake_idle_s } = parts.settings();
    return {
      connections: intake_connections,
      connectionsPerAddress: intake_connections_per_address,
      idleMs: intake_idle_s * 1_000,
    };
  };
  const speedUnit = () => parts.settings().osmand_speed_unit;
  const teltonika = createTeltonika({ isKnown, heard, commands, clock });
  const wialon = createWialon({ isKnown, heard });
  const plans: DoorPlan[] = [
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
      open: (port, host, given) => openDoor(port, host, teltonika, given),
    },
    {
      name: 'wialon',
      protocol: 'Wialon IPS 1.1 and 2.0',
      transports: ['tcp', 'udp'],
      port: config.wialonPort,
      veil: veilPassword,
      open: (port, host, given) => openDoor(port, host, wialon, given),
    },
    {
      name: 'jt808',
      protocol: 'JT/T 808, 2011 to 2019',
      transports: ['tcp'],
      port: config.jt808Port,
      veil: veilCode,
      open: (port, host, given) => listenJt808(port, host, { ...given, isKnown, heard, links, commands }),
    },
  ];

  async function openPlanned(plan: DoorPlan, host: string): Promise<Door> {
    const { name, protocol, transports, veil } = plan;
    const { accept, counts } = countIntake(watched, clock);
    const watch = createDoorWatch(name, { clock, log, ...(veil === undefined ? {} : { veil }) });
    const open = (port: number, at: string) =>
      plan.open(port, at, { accept, depotLimits, clock, log, watch });
    const listener = await openMovable(open, plan.port, host, { clock, log, door: name });
    return { protocol, transports, listener, counts, watch };
  }

  return {
    doors,
    links,
    commands,
    clocks,
    async open(host) {
      for (const plan of plans) doors[plan.name] = await openPlanned(plan, host);
    },
    add(name, door) {
      doors[name] = door;
    },
    async moveTo(host) {
      const listeners = Object.values(doors).map((it) => it.listener);
      const former = listeners.map((it) => it.host);
      const moves = await Promise.allSettled(listeners.map((it) => it.moveTo(host)));
      const failed = moves.find((it) => it.status === 'rejected');
      if (failed === undefined) return;
      await Promise.allSettled(listeners.map((it, at) => it.moveTo(former[at] ?? host)));
      throw failed.reason;
    },
    ports: () => ({
      osmand: portOf('osmand'),
      teltonika: portOf('teltonika'),
      wialon: portOf('wialon'),
      jt808: portOf('jt808'),
      jt1078: portOf('jt1078'),
    }),
    async close() {
      await Promise.all(Object.values(doors).map((it) => it.listener.close()));
    },
  };
}

/** Those whose messages can be looked at. */
export function watchedDoors(doors: Readonly<Doors>): WatchedDoor[] {
  return (Object.entries(doors) as [DoorName, Door][]).flatMap(([name, { transports, watch }]) =>
    watch === null ? [] : [{ name, transports, messages: watch.record }],
  );
}
