import { terminalKey } from '../../contract/sameKeys.ts';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { ListenerName } from '../../contract/intake.ts';
import type { TerminalCommandRow } from '../../store/telemetry/rows.ts';
import type { Vehicles } from '../../vehicles/vehicles.ts';
import type {
  CommandLink,
  CommandLinks,
  TerminalCommandRequest,
  CommandResult,
} from '../intake/terminalLinks.ts';
import { createLogRateLimit } from '../intake/logRateLimit.ts';
import type { CommandRepository } from './commandRepository.ts';
import type { CommandFault } from '../../contract/terminalCommands.ts';
import type { TerminalReport } from '../terminalReport.ts';

export interface CommandQueueDeps {
  ledger: CommandRepository;
  links: Pick<CommandLinks, 'find' | 'onAttach'>;
  vehicles: Pick<Vehicles, 'get' | 'byTerminal' | 'onChange'>;
  clock: Clock;
  log: Logger;
  /** How long a terminal may take to answer; `standardAnswerMs` unless said. */
  answerMs?: number;
}

/** Terminals answer in seconds, unless they have much to send first over a slow network. */
const standardAnswerMs = 60_000;
/** The wall clock may be set while a command waits for a moment of it. */
const maxSleepMs = 60_000;
/** A store that failed is not asked again at once. */
const storePauseMs = 10_000;

/**
 * Brings commands to their terminals: of each vehicle one after the other, in the order in which they were given. That
 * one is on its way is stored before a byte of it is written, so that none is ever sent twice, whenever the host dies.
 */
export function createCommandQueue(deps: CommandQueueDeps) {
  const { ledger, links, vehicles, clock, log, answerMs = standardAnswerMs } = deps;
  /** Vehicles whose commands are being sent. */
  const busy = new Map<string, Promise<void>>();
  /** Commands that this run has sent, until their end is stored. */
  const onTheWay = new Set<string>();
  const undo: (() => void)[] = [];
  /** What stops the next try of each vehicle whose commands could not be sent. */
  const nextTries = new Map<string, () => void>();
  /** What ends each pause at once. */
  const pauses = new Set<() => void>();
  const lineLimit = createLogRateLimit(clock);
  let stopTimer = (): void => undefined;
  /** When all are looked at next; by the wall clock. */
  let sweepAtMs = Infinity;
  /** By the monotonic clock. */
  let sweepsFromMs = 0;
  let isClosed = false;

  function look(vehicleId: string): void {
    const own = ledger.openOf(vehicleId);
    sweepBy(own);
    if (isClosed || busy.has(vehicleId) || own.length === 0) return;
    const served = Promise.resolve()
      .then(() => serve(vehicleId))
      .catch((error: unknown) => {
        complain(error, 'a command was not sent; tried again', { vehicle_id: vehicleId });
        tryLater(vehicleId);
      });
    busy.set(vehicleId, served);
  }

  /** One try at most waits of each vehicle, however often it was looked at meanwhile. */
  function tryLater(vehicleId: string): void {
    if (isClosed || nextTries.has(vehicleId)) return;
    const stop = clock.after(storePauseMs, () => {
      nextTries.delete(vehicleId);
      look(vehicleId);
    });
    nextTries.set(vehicleId, stop);
  }

  /** While the store fails, each vehicle's try fails. */
  function complain(error: unknown, what: string, about: { vehicle_id?: string } = {}): void {
    const left = lineLimit();
    if (left !== null) log.error({ err: error, ...about, ...left }, what);
  }

  async function serve(vehicleId: string): Promise<void> {
    try {
      for (;;) {
        const [row] = ledger.openOf(vehicleId);
        if (isClosed || row?.status !== 'queued') return;
        const link = links.find(row.terminal_id);
        if (link?.isOpen() !== true) return;
        await bring(row, link);
      }
    } finally {
      busy.delete(vehicleId);
    }
  }

  async function bring({ command_id }: TerminalCommandRow, link: CommandLink): Promise<void> {
    const sent = await ledger
      .change(command_id, (row) => {
        const now = clock.now();
        const over = overAt(row, now);
        if (over !== null) return over;
        const fault = faultOf(row, link);
        if (fault !== null) return failed(row, 'not_supported', fault, now);
        onTheWay.add(command_id);
        return onItsWay(row, link.protocol, now);
      })
      .catch((error: unknown) => {
        onTheWay.delete(command_id);
        throw error;
      });
    if (sent?.status !== 'sent') return;
    const result = await write(sent, link);
    const completed_ms = clock.now();
    const offset_s = vehicles.get(sent.vehicle_id)?.clock_offset_s ?? 0;
    await untilStored(() =>
      ledger.change(command_id, (row) => afterSending(row, result, completed_ms, offset_s)),
    );
    onTheWay.delete(command_id);
  }

  async function write(row: TerminalCommandRow, link: CommandLink): Promise<CommandResult> {
    if (isClosed) return { outcome: 'not_written' };
    try {
      return await link.send(orderOf(row), answerMs);
    } catch (error) {
      log.error({ err: error, command_id: row.command_id }, 'command result was not received');
      return { outcome: 'ended' };
    }
  }

  async function untilStored(store: () => Promise<unknown>): Promise<void> {
    for (let isLast = false; !isLast;) {
      isLast = isClosed;
      try {
        await store();
        return;
      } catch (error) {
        complain(error, 'what became of a command was not stored');
        if (!isClosed) await pause();
      }
    }
  }

  /** Until the store may be asked again, or is asked for the last time. */
  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const stop = clock.after(storePauseMs, end);
      function end(): void {
        stop();
        pauses.delete(end);
        resolve();
      }
      pauses.add(end);
    });
  }

  /** What a command that waits has become by the passing of time, or by a change of its vehicle; null: it waits on. */
  function overAt(row: TerminalCommandRow, now: number): TerminalCommandRow | null {
    if (row.status === 'sent') return onTheWay.has(row.command_id) ? null : afterHostStopped(row, now);
    const vehicle = vehicles.get(row.vehicle_id);
    const isIts =
      vehicle?.archived_at === null && terminalKey(vehicle.terminal_id) === terminalKey(row.terminal_id);
    if (!isIts) return { ...row, status: 'cancelled', completed_ms: now };
    return row.expires_ms <= now ? { ...row, status: 'expired', completed_ms: now } : null;
  }

  /** When a command expires if nothing happens; null: it is being sent. */
  function endOf(row: TerminalCommandRow): number | null {
    if (onTheWay.has(row.command_id)) return null;
    return row.status === 'queued' ? row.expires_ms : clock.now();
  }

  /** Looks at all of them by the end of these, and not before the store may be asked again. */
  function sweepBy(rows: readonly TerminalCommandRow[]): void {
    const now = clock.now();
    const first_ms = Math.min(...rows.map((row) => endOf(row) ?? Infinity));
    if (isClosed || rows.length === 0 || first_ms >= sweepAtMs) return;
    stopTimer();
    const pauseMs = Math.max(first_ms - now, sweepsFromMs - clock.monotonic(), 0);
    sweepAtMs = now + Math.min(pauseMs, maxSleepMs);
    stopTimer = clock.after(sweepAtMs - now, () => {
      sweepAtMs = Infinity;
      sweep(ledger.open());
    });
  }

  /** Ends those of them that need not wait any longer. */
  function sweep(rows: readonly TerminalCommandRow[]): void {
    endAll(rows)
      .catch((error: unknown) => {
        sweepsFromMs = clock.monotonic() + storePauseMs;
        if (!isClosed) complain(error, 'commands that are over were not ended; tried again');
      })
      .finally(() => sweepBy(ledger.open()));
  }

  async function endAll(rows: readonly TerminalCommandRow[]): Promise<void> {
    for (const { command_id, vehicle_id } of rows.filter((row) => overAt(row, clock.now()) !== null)) {
      if (isClosed) return;
      const ended = await ledger.change(command_id, (row) => overAt(row, clock.now()));
      if (ended !== null) look(vehicle_id);
    }
  }

  return {
    /** Takes up what an earlier run has left. */
    start(): void {
      undo.push(
        links.onAttach((terminalId) => {
          const vehicle = vehicles.byTerminal(terminalId);
          if (vehicle !== undefined) look(vehicle.vehicle_id);
        }),
        vehicles.onChange((changes) => {
          const own = changes.flatMap(({ before }) =>
            before === null ? [] : ledger.openOf(before.vehicle_id),
          );
          if (own.length > 0) sweep(own);
        }),
      );
      sweep(ledger.open());
    },
    /** A vehicle has a new command. */
    look,
    /** Sends no more, and stores the ends of what is on its way; all connections have ended before. */
    async close(): Promise<void> {
      isClosed = true;
      stopTimer();
      for (const step of [...undo.splice(0), ...nextTries.values(), ...pauses]) step();
      await Promise.all(busy.values());
    },
  };
}

const protocolNames: Record<ListenerName, string> = {
  osmand: 'OsmAnd',
  teltonika: 'Teltonika',
  wialon: 'Wialon IPS',
  jt808: 'JT/T 808',
  jt1078: 'JT/T 1078',
};

function orderOf({ kind, text }: TerminalCommandRow): TerminalCommandRequest {
  return kind === 'text' ? { kind, text: text ?? '' } : { kind };
}

/** Why a command cannot be sent by this connection, in words; null: it can. */
export function faultOf(
  { kind, text }: Pick<TerminalCommandRow, 'kind' | 'text'>,
  link: Pick<CommandLink, 'kinds' | 'protocol' | 'textFault'>,
): string | null {
  if (!link.kinds.includes(kind)) {
    const what = kind === 'position' ? 'asked for its position' : 'sent text';
    return `A terminal cannot be ${what} by ${protocolNames[link.protocol]}.`;
  }
  return text === null ? null : link.textFault(text);
}

/** A command that is about to be written. */
export function onItsWay(
  row: TerminalCommandRow,
  protocol: ListenerName,
  now_ms: number,
): TerminalCommandRow {
  return { ...row, status: 'sent', protocol, sent_ms: now_ms };
}

/**
 * A command that was on its way, by what became of it. Only one of which not a byte was written waits again: any other
 * may have been done already.
 *
 * @param clockOffsetS how far the terminal's clock is ahead
 */
export function afterSending(
  row: TerminalCommandRow,
  result: CommandResult,
  now_ms: number,
  clockOffsetS: number,
): TerminalCommandRow {
  switch (result.outcome) {
    case 'responded':
      return { ...row, status: 'responded', response: result.text, completed_ms: now_ms };
    case 'position':
      return {
        ...row,
        status: 'responded',
        response: formatPosition(result.report, clockOffsetS),
        completed_ms: now_ms,
      };
    case 'refused':
      return failed(row, 'terminal_refused', result.detail, now_ms);
    case 'unsupported':
      return failed(row, 'not_supported', result.detail, now_ms);
    case 'silent':
      return failed(row, 'no_response', `The terminal did not answer in time. ${unknownEnd}`, now_ms);
    case 'ended':
      return failed(row, 'no_response', `The connection ended before the answer came. ${unknownEnd}`, now_ms);
    case 'not_written':
      return { ...row, status: 'queued', protocol: null, sent_ms: null };
  }
}

const unknownEnd = 'It is not known whether it was executed.';

/** One that was on its way when the host stopped. */
function afterHostStopped(row: TerminalCommandRow, now_ms: number): TerminalCommandRow {
  return failed(row, 'no_response', `The host stopped before the answer came. ${unknownEnd}`, now_ms);
}

function failed(
  row: TerminalCommandRow,
  code: CommandFault,
  detail: string,
  now_ms: number,
): TerminalCommandRow {
  return { ...row, status: 'failed', error: { code, detail }, completed_ms: now_ms };
}

/** For reading: `2026-11-21T20:40:00Z 48.123456, 11.123456, 43.5 km/h`. */
function formatPosition(report: TerminalReport | null, clockOffsetS: number): string {
  if (report === null) return 'an answer that is no position';
  const { place, time_ms, speed_kmh, valid } = report;
  if (place === null || time_ms === null || !valid) return 'no fix';
  const time = new Date(time_ms - clockOffsetS * 1_000).toISOString().replace('.000Z', 'Z');
  const speed = speed_kmh === null ? '' : `, ${speed_kmh} km/h`;
  return `${time} ${place.lat.toFixed(6)}, ${place.lon.toFixed(6)}${speed}`;
}
