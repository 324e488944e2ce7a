import type { Clock } from '../../clock.ts';
import { avlReport } from '../protocols/teltonika/avlReport.ts';
import { readAvlData } from '../protocols/teltonika/avlRecords.ts';
import { isText, readCommandAnswer } from '../protocols/teltonika/commands.ts';
import { datagramAnswer, readDatagram } from '../protocols/teltonika/datagram.ts';
import { answers, frameLength, maxFrame, readFrame } from '../protocols/teltonika/frames.ts';
import { emptyReport, unreadableReports, type Origin, type TerminalReport } from '../terminalReport.ts';
import type { Outcome } from './accept.ts';
import type { CommandLinks } from './commandLinks.ts';
import {
  ProtocolMismatch,
  type Answer,
  type ProtocolHandler,
  type Message,
  type TcpProtocol,
  type UdpProtocol,
  type HandlerConnection,
} from './protocolHandler.ts';
import { createTeltonikaCommands, type TeltonikaCommands } from './teltonikaCommandLink.ts';

export interface TeltonikaDeps {
  /** Whether a vehicle has this terminal. */
  isKnown: (imei: string) => boolean;
  /** Notes that a terminal is there without saying where; resolves when that is stored. */
  heard: (imei: string, origin: Origin) => Promise<void>;
  commands: CommandLinks;
  clock: Clock;
}

const name = 'teltonika';
const maxNote = 200;
/**
 * A terminal that owes an answer, and comes by a new connection, gets no command for so long: an answer to the old one
 * would pass for the next one's. No document says how late it can come; so short a wait costs a command little.
 */
const lateAnswerMs = 5_000;

/** Teltonika's Codec 8, 8 Extended and 16, over TCP and over UDP. */
export function createTeltonika(deps: TeltonikaDeps): { tcp: TcpProtocol; udp: UdpProtocol } {
  const owing = new Set<string>();
  return {
    tcp: {
      name,
      longest: maxFrame,
      frameLength(bytes) {
        const length = frameLength(bytes);
        if (length === null) throw new ProtocolMismatch('it begins with neither an IMEI nor a packet');
        return length;
      },
      begin: (wire) => createConversation(wire, deps, owing),
    },
    udp: { name, take: takeDatagram },
  };
}

/** @param owing the terminals with an outstanding response to the last command, over any of their connections */
function createConversation(
  wire: HandlerConnection,
  deps: TeltonikaDeps,
  owing: Set<string>,
): ProtocolHandler {
  const { isKnown, heard } = deps;
  let owner: string | null = null;
  let isRefused = false;
  let published: TeltonikaCommands | null = null;
  let detach = (): void => undefined;
  /** While commands are held back. */
  let stopHolding: (() => void) | null = null;

  async function logIn(message: Message, imei: string): Promise<Answer> {
    message.note(`IMEI ${imei}`);
    if (isKnown(imei)) {
      owner = imei;
      wire.identify(imei);
      takeCommands(imei);
      return answers.welcome;
    }
    isRefused = true;
    // Unknown terminals are recorded like all others: as a message without a vehicle.
    await message.accept([{ ...emptyReport, terminal_id: imei }]);
    wire.end();
    return answers.refusal;
  }

  function takeCommands(imei: string): void {
    const isFirst = published === null;
    published ??= createTeltonikaCommands(wire, deps.clock, noteOwed);
    if (isFirst && owing.has(imei)) stopHolding = deps.clock.after(lateAnswerMs, resume);
    // Nothing may be written before the answer to the login, and that is written in this turn.
    else if (stopHolding === null) setImmediate(attach);
  }

  /** Takes commands from now on: the answer that was owed has come, or is not expected any more. */
  function resume(): void {
    stopHolding?.();
    stopHolding = null;
    noteOwed(false);
    attach();
  }

  function attach(): void {
    if (!wire.isOpen() || owner === null || published === null) return;
    detach();
    detach = deps.commands.attach(owner, published.link);
  }

  function noteOwed(isOwed: boolean): void {
    if (owner === null) return;
    if (isOwed) owing.add(owner);
    else owing.delete(owner);
  }

  async function takeRecords(message: Message, data: Buffer, imei: string): Promise<Answer> {
    const response = readCommandAnswer(data);
    if (response !== null) {
      const isAwaited = published?.answered(response) === true;
      if (stopHolding !== null) resume();
      message.note(
        `${isAwaited ? 'an answer' : 'an answer nobody waits for'}: ${response.slice(0, maxNote)}`,
      );
      return null;
    }
    const taken = await storeRecords(message, data, imei);
    // Answers do not say what they answer: one to a later packet would pass for this one's.
    if (taken === 'not_taken') wire.destroy();
    return typeof taken === 'number' ? answers.taken(taken) : null;
  }

  return {
    async take(message) {
      const frame = readFrame(message.bytes);
      if (frame.kind === 'imei') return logIn(message, frame.imei);
      if (isRefused) return null;
      if (owner === null && frame.kind !== 'ping') throw new ProtocolMismatch('a packet before the IMEI');
      if (frame.kind === 'ping') {
        message.note('keep-alive');
        if (owner !== null) await heard(owner, { protocol: name, address: wire.remoteAddress });
        return null;
      }
      if (frame.kind === 'packet' && owner !== null) return takeRecords(message, frame.data, owner);
      message.undecodable('the CRC does not fit');
      return answers.taken(0);
    },
    ended() {
      stopHolding?.();
      detach();
      published?.ended();
    },
  };
}

async function takeDatagram(message: Message): Promise<Answer> {
  const datagram = readDatagram(message.bytes);
  if (datagram === null) throw new ProtocolMismatch('it is no datagram of a terminal');
  message.from(datagram.imei);
  const taken = await storeRecords(message, datagram.data, datagram.imei);
  return typeof taken === 'number' ? datagramAnswer(datagram, taken) : null;
}

/**
 * Processes the records of a packet. Returns how many to acknowledge: what is rejected for good counts, and so
 * does what can never be decoded, once that is recorded: it would be sent for ever. `not_taken`: the terminal must send
 * all of it again, because the store failed or its vehicle was deleted meanwhile. `text`: it has no response.
 */
async function storeRecords(
  message: Message,
  data: Buffer,
  imei: string,
): Promise<number | 'text' | 'not_taken'> {
  const handedIn = handIn(message, data, imei);
  if (!('outcomes' in handedIn)) return handedIn.taken;
  const { count } = handedIn;
  const outcomes = await handedIn.outcomes;
  const isTaken = outcomes.every(({ status }) => status !== 'failed' && status !== 'unknown');
  return isTaken ? count : 'not_taken';
}

/** Apart from the waiting for the store: whoever waits would keep all records and their elements. */
function handIn(
  message: Message,
  data: Buffer,
  imei: string,
): { outcomes: Promise<Outcome[]>; count: number } | { taken: number | 'text' } {
  const read = readReports(message, data, imei);
  return 'reports' in read ? { outcomes: message.accept(read.reports), count: read.count } : read;
}

function readReports(
  message: Message,
  data: Buffer,
  imei: string,
): { reports: TerminalReport[]; count: number } | { taken: number | 'text' } {
  const read = readAvlData(data);
  if (read.kind === 'other' && isText(read.codec)) {
    const response = readCommandAnswer(data);
    message.note(
      response === null ? `a text of codec ${read.codec}` : `an answer: ${response.slice(0, maxNote)}`,
    );
    return { taken: 'text' };
  }
  if (read.kind === 'other') {
    // A terminal that is set to another codec keeps its records, and sends them when that is put right.
    message.undecodable(`codec ${read.codec} is not read here`);
    return { taken: 0 };
  }
  const reports = read.records.map((record) => avlReport(record, imei));
  if (read.kind === 'unreadable') {
    const why = 'the records do not end where their counts say';
    message.undecodable(why);
    reports.push(...unreadableReports(imei, why, { hex: data.toString('hex') }));
  }
  return { reports, count: read.count };
}
