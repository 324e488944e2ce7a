import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { createFrameSplitter } from '../protocols/jt808/frames.ts';
import { readAskedLocation, readLocation, readLocationBatch } from '../protocols/jt808/location.ts';
import {
  readMessage,
  terminalIdOf,
  writeMessage,
  type Header,
  type Message,
} from '../protocols/jt808/message.ts';
import { fromPlatform, fromTerminal, isAnswer } from '../protocols/jt808/messageIds.ts';
import { askAgainAfterMs, createPartJoiner, type Room } from '../protocols/jt808/parts.ts';
import {
  askPartsBody,
  generalAnswerBody,
  registrationAnswerBody,
  result,
  serverTimeBody,
  type Result,
} from '../protocols/jt808/platformBodies.ts';
import { readRegistration } from '../protocols/jt808/terminalBodies.ts';
import { emptyReport, type Origin, type Report } from '../report.ts';
import type { Accept } from './accept.ts';
import { createJt808Asks, type Jt808Asks } from './jt808Asks.ts';
import type { LinkOrder, LinkRegistry } from './terminalLinks.ts';

export interface Jt808Parts {
  accept: Accept;
  /** Whether a vehicle has this terminal. */
  isKnown: (terminalId: string) => boolean;
  /** Notes that a terminal is there without saying where; resolves when that is stored. */
  heard: (terminalId: string, origin: Origin) => Promise<void>;
  links: LinkRegistry;
  clock: Clock;
  log: Logger;
  /** A connection on which no message came for so long is over; terminals send a heartbeat each minute or so. */
  idleMs?: number;
}

export interface Jt808Connection {
  /** Takes no more, lets what is under way be answered, then ends. */
  finish(): Promise<void>;
}

const standardIdleMs = 6 * 60_000;
/** A terminal registers and authenticates as soon as it is connected. */
const strangerMs = 30_000;
/** Reports that may wait for the store on one connection before it is read no further. */
const mostUnderWay = 64;
/** Answers that a terminal may leave unread. */
const mostUnreadBytes = 256 * 1024;
/** A terminal that does not read gets no longer to take the last answers. */
const endingMs = 1_000;

/** Speaks with one terminal. @param room what parts of long messages may take up, of all connections together */
export function serveJt808(socket: Socket, parts: Jt808Parts, room: Room): Jt808Connection {
  const { clock, links, log } = parts;
  const idleMs = parts.idleMs ?? standardIdleMs;
  const origin: Origin = { protocol: 'jt808', address: socket.remoteAddress ?? null };
  const localAddress = (socket.localAddress ?? '').replace(/^::ffff:/, '');
  const splitter = createFrameSplitter();
  const joiner = createPartJoiner(room);
  const underWay = new Set<Promise<void>>();
  const ending = new AbortController();
  /** The terminal that the connection belongs to; null until it is authenticated. */
  let owner: string | null = null;
  let asks: Jt808Asks | null = null;
  let serial = 0;
  let isFinishing = false;
  /** Whether the log has it that no vehicle has the terminal. */
  let isToldOf = false;
  let heard_ms = clock.monotonic();
  let detach = (): void => undefined;
  let stopAsking: (() => void) | null = null;

  let stopIdle = clock.after(idleMs, endIfIdle);
  const stopStranger = clock.after(strangerMs, () => {
    if (owner === null) socket.destroy();
  });

  /** One timer for a silence of any length, instead of one for each message. */
  function endIfIdle(): void {
    const left_ms = heard_ms + idleMs - clock.monotonic();
    if (left_ms > 0) stopIdle = clock.after(left_ms, endIfIdle);
    else socket.destroy();
  }

  function takeSerial(): number {
    const taken = serial;
    serial = (serial + 1) % 0x1_0000;
    return taken;
  }

  function write(
    to: Omit<Header, 'id' | 'serial'>,
    id: number,
    body: Uint8Array,
    number = takeSerial(),
  ): void {
    if (!socket.writable) return;
    const { phoneBcd, version } = to;
    socket.write(writeMessage({ id, serial: number, phoneBcd, version }, body));
    if (socket.writableLength > mostUnreadBytes) socket.destroy();
  }

  function answer(message: Message, outcome: Result, serials: readonly number[] = [message.serial]): void {
    for (const one of serials)
      write(message, fromPlatform.generalAnswer, generalAnswerBody(one, message.id, outcome));
  }

  /** Keeps count of what waits for the store, and lets the terminal wait when it is too much. */
  function follow(work: Promise<void>): void {
    const one = work
      .catch((error: unknown) => log.error({ err: error }, 'a jt808 message was not taken in'))
      .finally(() => {
        underWay.delete(one);
        if (!isFinishing && underWay.size < mostUnderWay) socket.resume();
      });
    underWay.add(one);
    if (underWay.size >= mostUnderWay) socket.pause();
  }

  /** Terminals that knock are recorded by way of all others: as a message that no vehicle has a use for. */
  function knock(terminal_id: string): void {
    const work = parts.accept([{ ...emptyReport, terminal_id }], origin);
    follow(work.then(() => undefined));
  }

  function register(message: Message): void {
    const terminalId = terminalIdOf(message);
    const taken = parts.isKnown(terminalId);
    if (!taken) {
      if (!isToldOf)
        log.info(
          { terminal_id: terminalId, ...readRegistration(message.body, message) },
          'a jt808 terminal registers that no vehicle has',
        );
      isToldOf = true;
      knock(terminalId);
    }
    const body = registrationAnswerBody(message.serial, taken ? { taken, code: terminalId } : { taken });
    write(message, fromPlatform.registrationAnswer, body);
  }

  /**
   * Any code will do. Terminals are known by their number here, by every protocol alike: the code crosses the network
   * in plain text as the number does, so it proves no more; and terminals that come from another platform, or to a host
   * whose data folder was restored, keep the code that they once got and never register again.
   */
  function authenticate(message: Message): void {
    const terminalId = terminalIdOf(message);
    if (!parts.isKnown(terminalId)) {
      knock(terminalId);
      answer(message, result.failed);
      return;
    }
    answer(message, result.ok);
    if (owner !== null) return;
    owner = terminalId;
    const { phoneBcd, version } = message;
    const writeToOwner = (id: number, body: Uint8Array, number?: number) =>
      write({ phoneBcd, version }, id, body, number);
    const waiting = createJt808Asks({ takeSerial, write: writeToOwner, ended: ending.signal, clock });
    asks = waiting;
    const link = {
      localAddress,
      phoneBcd,
      ended: ending.signal,
      ask: (order: LinkOrder) => waiting.ask(order),
      send: (id: number, body: Uint8Array) => writeToOwner(id, body),
    };
    detach = links.attach(terminalId, link, () => socket.destroy());
  }

  /** Acknowledges after the commit; what could not be stored gets no answer, so that the terminal sends it again. */
  async function report(reports: readonly Report[], message: Message, serials: number[]): Promise<void> {
    const outcomes = await parts.accept(reports, origin);
    if (outcomes.some((it) => it.status === 'failed')) return;
    // Its vehicle is gone since it came: it has to register anew.
    if (outcomes.some((it) => it.status === 'unknown')) socket.destroy();
    else answer(message, result.ok, serials);
  }

  /** Takes a whole message of the owner. @param serials those of its parts */
  function take(message: Message, terminalId: string, serials: number[]): void {
    const reportOrRefuse = (reports: readonly Report[] | null) => {
      if (reports === null) answer(message, result.badMessage, serials);
      else follow(report(reports, message, serials));
    };
    const only = (one: Report | null) => (one === null ? null : [one]);
    switch (message.id) {
      case fromTerminal.generalAnswer:
        asks?.answered(message.id, message.body);
        return;
      case fromTerminal.heartbeat:
        if (!parts.isKnown(terminalId)) {
          socket.destroy();
          return;
        }
        answer(message, result.ok);
        follow(parts.heard(terminalId, origin));
        return;
      case fromTerminal.deregister:
        answer(message, result.ok);
        void finish();
        return;
      case fromTerminal.askTime:
        write(message, fromPlatform.serverTime, serverTimeBody(clock.now()));
        return;
      case fromTerminal.position:
        reportOrRefuse(only(readLocation(message.body, message)));
        return;
      case fromTerminal.askedPosition:
        asks?.answered(message.id, message.body);
        reportOrRefuse(only(readAskedLocation(message.body, message)));
        return;
      case fromTerminal.positionBatch:
        reportOrRefuse(readLocationBatch(message.body, message));
        return;
      default:
        answer(message, isAnswer(message.id) ? result.ok : result.unsupported, serials);
        if (isAnswer(message.id)) asks?.answered(message.id, message.body);
    }
  }

  function takePart(message: Message, part: NonNullable<Message['part']>, terminalId: string): void {
    const bearsReports = message.id === fromTerminal.positionBatch || message.id === fromTerminal.position;
    if (!bearsReports) answer(message, isAnswer(message.id) ? result.ok : result.unsupported);
    if (!bearsReports && !isAnswer(message.id)) return;
    const joined = joiner.add(message, part, clock.monotonic());
    if (joiner.isOpen()) stopAsking ??= clock.after(askAgainAfterMs, () => askForMissing(message));
    if (joined !== null) take(joined.message, terminalId, bearsReports ? joined.serials : []);
  }

  function askForMissing(to: Message): void {
    stopAsking = null;
    for (const { firstSerial, numbers } of joiner.overdue(clock.monotonic()))
      write(to, fromPlatform.askParts, askPartsBody(firstSerial, numbers, to));
    if (joiner.isOpen()) stopAsking = clock.after(askAgainAfterMs, () => askForMissing(to));
  }

  function dispatch(message: Message): void {
    // An encrypted message could only be read with keys that terminals exchange by other means.
    if (message.isEncrypted) {
      if (owner === terminalIdOf(message)) answer(message, result.unsupported);
      return;
    }
    if (message.id === fromTerminal.register && isOwnersOrFirst(message)) register(message);
    else if (message.id === fromTerminal.authenticate && isOwnersOrFirst(message)) authenticate(message);
    // Nothing of anybody else, and nothing before the authentication, not even an answer that could pass for a receipt.
    else if (owner === null || owner !== terminalIdOf(message)) return;
    else if (message.part === null || message.part.total === 1) take(message, owner, [message.serial]);
    else takePart(message, message.part, owner);
  }

  function isOwnersOrFirst(message: Message): boolean {
    return owner === null || owner === terminalIdOf(message);
  }

  async function finish(): Promise<void> {
    isFinishing = true;
    socket.pause();
    await Promise.all(underWay);
    const stop = clock.after(endingMs, () => socket.destroy());
    socket.end(() => {
      stop();
      socket.destroy();
    });
  }

  socket.on('data', (chunk) => {
    for (const frame of splitter.push(chunk)) {
      if (isFinishing || socket.destroyed) return;
      const message = readMessage(frame);
      if (message === null) continue;
      heard_ms = clock.monotonic();
      dispatch(message);
    }
  });
  socket.on('close', () => {
    stopIdle();
    stopStranger();
    stopAsking?.();
    detach();
    ending.abort();
    joiner.clear();
  });
  socket.on('error', (error) => log.debug({ err: error }, 'a jt808 connection broke'));
  return { finish };
}
