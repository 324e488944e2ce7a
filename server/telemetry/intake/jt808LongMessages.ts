import type { Clock } from '../../clock.ts';
import { type Message, fromTerminal, isAnswer } from '../protocols/jt808/message.ts';
import { mediaHead } from '../protocols/jt808/messageReports.ts';
import {
  createPartJoiner,
  pauseMs,
  type AssembledMessage,
  type MissingSubpackages,
  type ByteBudget,
} from '../protocols/jt808/subpackages.ts';
import { result, type Result } from '../protocols/jt808/bodies.ts';

interface LongMessagesDeps {
  /** What parts may take up, of all connections together. */
  room: ByteBudget;
  clock: Pick<Clock, 'after' | 'monotonic'>;
  answer: (message: Message, outcome: Result, serials?: readonly number[]) => void;
  askAgain: (missing: MissingSubpackages) => void;
  /** Takes a message that is whole. */
  take: (joined: AssembledMessage) => void;
}

/**
 * The parts of long messages on one connection.
 * Answers parts as they come, but for those that bear positions. Acknowledged means stored: a terminal forgets what was
 * acknowledged, and JT/T 808 lets it do so part by part. So these are answered all together after the commit. Some
 * terminals, though, send a part only when the one before it was answered. They are known by their silence after a part,
 * or by its repeat; from then on their parts are answered at once, as long as none is missing before them, and the last
 * one after the commit. What ends in between is asked for again when the terminal repeats that last one, to which it had
 * no answer.
 */
export function createLongMessages({ room, clock, answer, askAgain, take }: LongMessagesDeps) {
  const joiner = createPartJoiner(room);
  let waitsForReceipts = false;
  let stopTimer: (() => void) | null = null;

  function watch(): void {
    if (joiner.isOpen()) stopTimer ??= clock.after(pauseMs, pause);
  }

  function pause(): void {
    stopTimer = null;
    const { joined, receipts, missing } = joiner.pause(clock.monotonic());
    for (const one of joined) take(one);
    for (const { message, serials } of receipts) {
      waitsForReceipts = true;
      answer(message, result.ok, serials);
    }
    for (const one of missing) askAgain(one);
    watch();
  }

  return {
    add(message: Message, part: NonNullable<Message['part']>): void {
      const isAnswered = !bearsPositions(message.id);
      const isTaken = !isAnswered || isAnswer(message.id) || message.id === fromTerminal.media;
      if (isAnswered) answer(message, isTaken ? result.ok : result.unsupported);
      if (!isTaken) return;
      const { joined, isRepeat, receipts } = joiner.add(
        keptOf(message, part.number),
        part,
        isAnswered,
        clock.monotonic(),
      );
      if (isRepeat && !isAnswered) waitsForReceipts = true;
      if (joined !== null) take(joined);
      else if (waitsForReceipts && !isAnswered) answer(message, result.ok, receipts());
      watch();
    },
    stop(): void {
      stopTimer?.();
      joiner.clear();
    },
  };
}

/** Of pictures, sounds and videos the head alone is kept; they have an answer of their own when they are whole. */
function keptOf(message: Message, number: number): Message {
  if (message.id !== fromTerminal.media) return message;
  return { ...message, body: message.body.subarray(0, number === 1 ? mediaHead : 0) };
}

function bearsPositions(id: number): boolean {
  return id === fromTerminal.positionBatch || id === fromTerminal.position;
}
