import type { Socket } from 'node:net';
import type { Origin, TerminalReport, Outcome } from '../terminalReport.ts';
import { createFrameSplitter } from './frameSplitter.ts';
import { createIntakeMessage, noteUnreadable } from './intakeMessage.ts';
import { withReason } from './wrongPort.ts';
import {
  ProtocolMismatch,
  type Answer,
  type TcpProtocol,
  type HandlerConnection,
} from './protocolHandler.ts';
import type { ListenerContext } from './listenerContext.ts';
import { type Prove, createUnreadWatch } from './limitConnections.ts';
import type { RejectReason } from './rejections.ts';

/** A message whose answer is not written yet; `undefined`: not known yet. */
interface UnderWay {
  answer: Answer | undefined;
}

/**
 * Speaks one protocol with one terminal. Takes the socket over.
 *
 * @param prove called as soon as the terminal is identified
 */
export function serveTcp(socket: Socket, protocol: TcpProtocol, listener: ListenerContext, prove: Prove) {
  const { clock, limits, depotLimits, log, record, work } = listener;
  const origin: Origin = { protocol: protocol.name, address: socket.remoteAddress ?? null };
  const cutter = createFrameSplitter(protocol);
  const unread = createUnreadWatch(clock);
  const born_ms = clock.monotonic();
  let heard_ms = born_ms;
  /** When the message began that is not whole yet. */
  let half_ms: number | null = null;
  let owner: string | null = null;
  /** Whole messages of the last chunk of the socket, and how many of them are taken. */
  let whole: readonly Buffer[] = [];
  let taken = 0;
  let foreign: { error: ProtocolMismatch; bytes: Buffer } | null = null;
  const underWay: UnderWay[] = [];
  /** Hand-ins that belong to no message. */
  let besides = 0;
  let isTaking = false;
  /** The terminal has closed its side. */
  let isEnded = false;
  let isFinishing = false;
  let isEnding = false;
  let stopEnding = (): void => undefined;
  let giveUp = (): void => undefined;

  const wire: HandlerConnection = {
    remoteAddress: origin.address,
    localAddress: (socket.localAddress ?? '').replace(/^::ffff:/, ''),
    log,
    accept: acceptBesides,
    identify,
    write,
    isOpen: () => socket.writable && !isFinishing,
    end: finish,
    destroy: () => socket.destroy(),
  };
  const conversation = protocol.begin(wire);

  function identify(terminalId: string): void {
    owner = terminalId;
    prove(true);
    giveUp();
    giveUp = listener.newest.take(terminalId, () => {
      log.debug(
        { listener: protocol.name, terminal_id: terminalId },
        'terminal reconnected; previous connection closed',
      );
      socket.destroy();
    });
  }

  function write(bytes: Uint8Array): void {
    if (!socket.writable) return;
    socket.write(bytes);
    if (socket.writableLength <= limits.unreadBytes) return;
    listener.rejections.add('slow_reader');
    socket.destroy();
  }

  async function acceptBesides(reports: readonly TerminalReport[]): Promise<Outcome[]> {
    const leave = work.add(reports.length);
    besides += 1;
    try {
      return await listener.accept(reports, origin);
    } finally {
      leave();
      besides -= 1;
      // Who waits for it answers first.
      if (isFinishing) setImmediate(end);
    }
  }

  function takeOne(bytes: Buffer): void {
    const before_ms = heard_ms;
    heard_ms = clock.monotonic();
    const onIgnored = () => {
      heard_ms = before_ms;
    };
    const one: UnderWay = { answer: undefined };
    underWay.push(one);
    const entry = record.open('tcp', origin.address, owner, bytes);
    const onSender = (terminalId: string) => record.belongs(entry, terminalId);
    const { message, answered } = createIntakeMessage({
      ...listener,
      bytes,
      origin,
      entry,
      onSender,
      onIgnored,
    });
    const settle = (answer: Answer) => {
      answered(answer);
      if (entry.terminal_id === null && owner !== null) onSender(owner);
      one.answer = answer;
      writeAnswers();
    };
    const fail = (error: unknown) => {
      if (error instanceof ProtocolMismatch) {
        turnAway(error, bytes);
        settle(null);
        return;
      }
      const left = listener.errorLogLimit();
      if (left !== null)
        log.error(
          { err: error, listener: protocol.name, ...left },
          'message was not processed; connection closed',
        );
      socket.destroy();
    };
    try {
      const answer = conversation.take(message);
      if (answer instanceof Promise) answer.then(settle).catch(fail);
      else settle(answer);
    } catch (error) {
      fail(error);
    }
  }

  function writeAnswers(): void {
    for (let first = underWay[0]; first?.answer !== undefined; first = underWay[0]) {
      if (first.answer !== null) write(first.answer);
      underWay.shift();
    }
    takeOn();
  }

  /** Processes waiting messages as far as the backlog allows; the terminal waits for the rest. */
  function takeOn(): void {
    if (isTaking) return;
    isTaking = true;
    while (taken < whole.length && !isFinishing && !socket.destroyed) {
      if (underWay.length >= limits.messagesUnderWay) break;
      if (work.isFull()) {
        work.wait(takeOn);
        break;
      }
      const next = whole[taken];
      taken += 1;
      if (next !== undefined) takeOne(next);
    }
    isTaking = false;
    if (isFinishing) {
      end();
      return;
    }
    if (taken < whole.length) {
      socket.pause();
      return;
    }
    // They would keep the chunk that they came in.
    whole = [];
    taken = 0;
    if (foreign !== null) turnAway(foreign.error, foreign.bytes);
    else if (owner === null && cutter.held() > limits.unidentifiedBytes)
      rejectSilently(
        'unidentified',
        `${cutter.held()} bytes of it are no message, nor say which terminal it is`,
      );
    else if (isEnded) finish();
    else if (socket.isPaused()) socket.resume();
  }

  /** The messages before it are good: they are answered. */
  function turnAway(error: ProtocolMismatch, bytes: Buffer): void {
    if (isFinishing) return;
    const about = { address: origin.address, first: bytes, detail: error.message };
    const wrongPort = listener.rejections.add('protocol_mismatch', about);
    noteUnreadable(record.open('tcp', origin.address, owner, bytes), withReason(wrongPort, error.message));
    finish();
  }

  function finish(): void {
    isFinishing = true;
    prove(false);
    whole = [];
    end();
  }

  /** Goes on reading, to nothing: a connection that is ended before all was read loses the last answers. */
  function end(): void {
    if (isEnding || underWay.length > 0 || besides > 0 || socket.destroyed) return;
    isEnding = true;
    stopEnding = clock.after(limits.endingMs, () => socket.destroy());
    socket.end();
    socket.resume();
  }

  function rejectSilently(reason: RejectReason, detail?: string): void {
    listener.rejections.add(reason, detail === undefined ? undefined : { address: origin.address, detail });
    socket.destroy();
  }

  socket.on('data', (chunk: Buffer) => {
    if (isFinishing) return;
    const wasInside = cutter.isInside();
    const cut = cutter.push(chunk);
    if (!cutter.isInside()) half_ms = null;
    else if (!wasInside || cut.whole.length > 0) half_ms = clock.monotonic();
    foreign = cut.foreign;
    whole = cut.whole;
    taken = 0;
    takeOn();
  });
  socket.on('end', () => {
    isEnded = true;
    // Said of a connection that waits, too: what waits is taken first.
    if (taken >= whole.length) finish();
  });
  socket.on('close', () => {
    stopEnding();
    giveUp();
    work.forget(takeOn);
    whole = [];
    conversation.ended?.();
  });
  socket.on('error', (error) => log.debug({ err: error, listener: protocol.name }, 'connection failed'));

  return {
    /** Takes no more, lets what is under way be answered, then ends. */
    finish,
    /** Ends it when it has been silent for too long. */
    check(): void {
      if (!socket.destroyed && unread.silent_ms(socket) >= limits.unreadMs) {
        rejectSilently('slow_reader');
        return;
      }
      // Who waits for this host is not silent.
      const isWaiting = underWay.length > 0 || taken < whole.length;
      if (socket.destroyed || isFinishing || isWaiting) return;
      const now = clock.monotonic();
      if (half_ms !== null && now - half_ms >= limits.incompleteMessageTimeoutMs)
        rejectSilently('incomplete', 'a message that does not get on');
      else if (owner === null && now - born_ms >= limits.unidentifiedMs)
        rejectSilently('unidentified', 'it did not say which terminal it is');
      else if (now - heard_ms >= Math.min(depotLimits().idleMs, protocol.idleMs ?? Infinity))
        rejectSilently('idle');
    },
  };
}
