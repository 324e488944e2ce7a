import { pino } from 'pino';
import { newVehicle } from '../../../../server/contract/vehicles.ts';
import type { IdempotencyRow, TerminalCommandRow } from '../../../../server/store/telemetry/rows.ts';
import {
  createCommandLinks,
  type CommandLink,
  type CommandLinks,
  type TerminalCommandRequest,
  type CommandResult,
} from '../../../../server/telemetry/intake/terminalLinks.ts';
import {
  loadTerminalCommands,
  type TerminalCommands,
} from '../../../../server/telemetry/terminalCommands/terminalCommands.ts';
import type { VehicleRecord } from '../../../../server/vehicles/vehicleRecord.ts';
import { createFakeActs } from '../../../support/fakeActs.ts';
import { createFakeClock, type FakeClock } from '../../../support/fakeClock.ts';

export const answerMs = 60_000;
export const storePauseMs = 10_000;
export const imei = '356307042441013';

/** What a terminal answers. */
export const said = (text: string): CommandResult => ({ outcome: 'responded', text });

/** A connection whose terminal answers when the test says so. */
export interface FakeLink extends CommandLink {
  /** What was written, in order. */
  readonly written: TerminalCommandRequest[];
  /** Ends what is on its way. */
  settle(outcome: CommandResult): void;
  /** Ends the connection. */
  cut(): void;
}

export interface CommandBench {
  commands: TerminalCommands;
  links: CommandLinks;
  clock: FakeClock;
  /** What the store holds, by the time of the orders. */
  stored(): TerminalCommandRow[];
  row(id: string): TerminalCommandRow | undefined;
  /** Statuses of all writes, in order: `1 queued`. */
  log: string[];
  /** How often a write was tried. */
  tries(): number;
  /** How many timers run. */
  timers(): number;
  /** What was written to the log of the host. */
  logged: { msg: string; not_logged_before?: number }[];
  /** What the store does with the next writes; `null`: it stores again. `isWritten`: it has stored them all the same. */
  failWith(error: Error | null, more?: { isWritten: boolean }): void;
  /** A connection of the terminal comes up. */
  connect(link?: Partial<CommandLink>): FakeLink;
  vehicle: VehicleRecord;
  /** Changes the vehicle, and informs the listeners. */
  change(part: Partial<VehicleRecord>): void;
  give(text: string, more?: { expires_in_s?: number }): Promise<TerminalCommandRow>;
  /** The responses that are stored, by their key. */
  responses: Map<string, IdempotencyRow>;
  /** Lets all that can happen now happen. */
  settled(): Promise<void>;
}

/** The whole service over a store in memory, a clock by hand and connections that are made up. */
export async function openCommandFixture(
  rows: readonly TerminalCommandRow[] = [],
  given: { links?: CommandLinks; responses?: Map<string, IdempotencyRow> } = {},
): Promise<CommandBench> {
  const { clock, timers } = countTimers(createFakeClock());
  const links = given.links ?? createCommandLinks();
  const table = new Map(rows.map((row) => [row.command_id, row]));
  const responses = given.responses ?? new Map<string, IdempotencyRow>();
  const log: string[] = [];
  const logged: CommandBench['logged'] = [];
  let tries = 0;
  let failure: Error | null = null;
  let isWrittenAnyway = false;
  let listener: Parameters<Parameters<typeof loadTerminalCommands>[0]['vehicles']['onChange']>[0] = () =>
    undefined;
  const bench = { vehicle: vehicleRecord() };

  const commands = await loadTerminalCommands({
    acts: createFakeActs(
      {
        saveTerminalCommands(saved) {
          tries += 1;
          if (failure !== null && !isWrittenAnyway) return Promise.reject(failure);
          for (const row of saved) {
            table.set(row.command_id, row);
            log.push(`${row.text ?? row.kind} ${row.status}`);
          }
          return failure === null ? Promise.resolve({ changes: [] }) : Promise.reject(failure);
        },
      },
      clock,
      (once, response) => {
        if (failure === null || isWrittenAnyway)
          responses.set(once.key, { ...once, response, at_ms: clock.now() });
      },
    ),
    store: {
      terminalCommands: () => Promise.resolve([...table.values()]),
      terminalCommandsById: (ids) => Promise.resolve(ids.flatMap((id) => table.get(id) ?? [])),
      openTerminalCommands: () =>
        Promise.resolve([...table.values()].filter((row) => row.completed_ms === null)),
    },
    links,
    vehicles: {
      get: (id) => (id === bench.vehicle.vehicle_id ? bench.vehicle : undefined),
      byTerminal: (id) =>
        id === bench.vehicle.terminal_id && bench.vehicle.archived_at === null ? bench.vehicle : undefined,
      onChange(call) {
        listener = call;
        return () => undefined;
      },
    },
    clock,
    log: pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line) as never) }),
    answerMs,
    onChange: () => undefined,
  });
  commands.start();

  return {
    commands,
    links,
    clock,
    responses,
    log,
    logged,
    timers,
    tries: () => tries,
    get vehicle() {
      return bench.vehicle;
    },
    stored: () => [...table.values()],
    row: (id) => table.get(id),
    failWith(error, { isWritten } = { isWritten: false }) {
      failure = error;
      isWrittenAnyway = isWritten;
    },
    connect: (link) => connectFake(links, bench.vehicle.terminal_id, link),
    change(part) {
      const before = bench.vehicle;
      bench.vehicle = { ...before, ...part };
      listener([{ before, after: bench.vehicle }]);
    },
    give: (text, more = {}) =>
      commands.send(
        bench.vehicle,
        { kind: 'text', text, expires_in_s: more.expires_in_s ?? 3_600 },
        { userId: 'user' },
      ),
    settled,
  };
}

function countTimers(hand: FakeClock): { clock: FakeClock; timers: () => number } {
  const running = new Set<object>();
  const clock: FakeClock = {
    ...hand,
    after(ms, call) {
      const timer = {};
      running.add(timer);
      const stop = hand.after(ms, () => {
        running.delete(timer);
        call();
      });
      return () => {
        running.delete(timer);
        stop();
      };
    },
  };
  return { clock, timers: () => running.size };
}

/** Everything here is promises: some turns of the loop are all that they need. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function connectFake(
  links: CommandLinks,
  terminalId: string,
  more: Partial<CommandLink> = {},
): FakeLink {
  const written: TerminalCommandRequest[] = [];
  let isOpen = true;
  let settle: ((outcome: CommandResult) => void) | null = null;
  const link: FakeLink = {
    protocol: 'teltonika',
    kinds: ['text'],
    isOpen: () => isOpen,
    textFault: (text) => (text.includes('ķ') ? 'There is no ķ.' : null),
    send(order) {
      if (!isOpen) return Promise.resolve({ outcome: 'not_written' });
      written.push(order);
      return new Promise((resolve) => (settle = resolve));
    },
    ...more,
    written,
    settle(outcome) {
      if (settle === null) throw new Error('nothing is on its way');
      const call = settle;
      settle = null;
      call(outcome);
    },
    cut() {
      isOpen = false;
      detach();
      settle?.({ outcome: 'ended' });
      settle = null;
    },
  };
  const detach = links.attach(terminalId, link);
  return link;
}

function vehicleRecord(): VehicleRecord {
  const now = new Date(Date.UTC(2026, 10, 21)).toISOString();
  return {
    ...newVehicle.parse({ terminal_id: imei, name: 'van' }),
    ...{ vehicle_id: 'van', archived_at: null, groups_changed_at: now },
    ...{ version: 1, created_at: now, updated_at: now },
  };
}
