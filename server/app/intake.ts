import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { Accept } from '../telemetry/gateway/accept.ts';
import { listenJt808 } from '../telemetry/gateway/jt808Listener.ts';
import { listenOsmand, type Listener } from '../telemetry/gateway/osmandListener.ts';
import { createTerminalLinks, type TerminalLinks } from '../telemetry/gateway/terminalLinks.ts';
import { countIntake, type IntakeCounts } from '../telemetry/intakeCounter.ts';
import type { LiveFleet } from '../telemetry/liveFleet.ts';
import { emptyReport, type Origin } from '../telemetry/report.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';

export type IntakeName = 'osmand' | 'teltonika' | 'wialon' | 'jt808' | 'jt1078';

/** Where terminals come in, and what has come by there. */
export interface Door {
  listener: Listener;
  counts: IntakeCounts;
}

/** Those that are open. */
export type Doors = Partial<Record<IntakeName, Door>>;

export interface Intake {
  readonly doors: Readonly<Doors>;
  /** The terminals that can be asked for something. */
  readonly links: TerminalLinks;
  /** Opens one door after the other; rejects when a port cannot be had. */
  open(): Promise<void>;
  /** Takes over a door that is open, to be told of and closed with the others. */
  add(name: IntakeName, door: Door): void;
  /** The port of each door; null for one that is not there. */
  ports(): Record<IntakeName, number | null>;
  /** Closes them; what was taken is stored and answered. */
  close(): Promise<void>;
}

export function createIntake(parts: {
  config: Pick<Config, 'intakeHost' | 'osmandPort' | 'jt808Port'>;
  accept: Accept;
  settings: () => SettingsFields;
  vehicles: Vehicles;
  fleet: LiveFleet;
  clock: Clock;
  log: Logger;
}): Intake {
  const { config, vehicles, clock, log } = parts;
  const doors: Doors = {};
  const links = createTerminalLinks();
  const portOf = (name: IntakeName) => doors[name]?.listener.port ?? null;

  /**
   * A sign of life goes the road of the positions, as a repeat of the moment that the vehicle spoke of last: that counts
   * as contact, while a message of its own moment would stand before the positions that are still to come.
   */
  async function heard(terminal_id: string, origin: Origin): Promise<void> {
    const vehicle = vehicles.byTerminal(terminal_id);
    const last_ms = vehicle === undefined ? null : parts.fleet.state(vehicle.vehicle_id).last_stored_ms;
    if (vehicle === undefined || last_ms === null) return;
    const time_ms = last_ms + vehicle.clock_offset_s * 1_000;
    await parts.accept([{ ...emptyReport, terminal_id, time_ms }], origin);
  }

  async function openOsmand(): Promise<Door> {
    const { accept, counts } = countIntake(parts.accept, clock);
    const speedUnit = () => parts.settings().osmand_speed_unit;
    const listener = await listenOsmand(config.osmandPort, config.intakeHost, { accept, speedUnit, log });
    return { listener, counts };
  }

  async function openJt808(): Promise<Door> {
    const { accept, counts } = countIntake(parts.accept, clock);
    const isKnown = (terminalId: string) => vehicles.byTerminal(terminalId) !== undefined;
    const listener = await listenJt808(config.jt808Port, config.intakeHost, {
      accept,
      isKnown,
      heard,
      links,
      clock,
      log,
    });
    return { listener, counts };
  }

  return {
    doors,
    links,
    async open() {
      doors.osmand = await openOsmand();
      doors.jt808 = await openJt808();
    },
    add(name, door) {
      doors[name] = door;
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
