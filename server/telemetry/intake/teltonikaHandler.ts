import type { Clock } from '../../clock.ts';
import { avlReport } from '../protocols/teltonika/avlReport.ts';
import { readAvlData } from '../protocols/teltonika/avlRecords.ts';
import { isText, readCommandAnswer, commandPacket } from '../protocols/teltonika/commands.ts';
import {
  datagramAnswer,
  readDatagram,
  answers,
  frameLength,
  maxFrame,
  readFrame,
} from '../protocols/teltonika/frames.ts';
import {
  emptyReport,
  unreadableReports,
  type Origin,
  type TerminalReport,
  type Outcome,
} from '../terminalReport.ts';
import type { CommandLinks, CommandLink, CommandResult } from './terminalLinks.ts';
import {
  ProtocolMismatch,
  type Answer,
  type ProtocolHandler,
  type Message,
  type TcpProtocol,
  type UdpProtocol,
  type HandlerConnection,
} from './protocolHandler.ts';

interface TeltonikaDeps {
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

/** The commands of this server to one terminal over its connection. */
interface TeltonikaCommands {
  readonly link: CommandLink;
  /** Hands in what the terminal answers to a command. @returns whether somebody waits for it */
  answered(text: string): boolean;
  ended(): void;
}

/**
 * A Teltonika terminal takes texts. Its answers do not say what they answer: one command is on its way at a time, and
 * after one that was not answered the connection takes no other, as a late answer would pass for the next one's. It may
 * still do so where the terminal gives it by its next connection, and later than some seconds after its login there, or
 * after a new start of this host.
 *
 * @param onOwed called with whether a response is outstanding: the terminal may send it over its next connection
 */
function createTeltonikaCommands(
  wire: Pick<HandlerConnection, 'write' | 'destroy' | 'isOpen'>,
  clock: Clock,
  onOwed: (isOwed: boolean) => void,
): TeltonikaCommands {
  let settle: ((result: CommandResult) => void) | null = null;
  let isAnswerOwed = false;
  let last: Promise<unknown> = Promise.resolve();

  function sendCommand(text: string, timeoutMs: number): Promise<CommandResult> {
    if (isAnswerOwed) wire.destroy();
    if (!wire.isOpen()) return Promise.resolve({ outcome: 'not_written' });
    return new Promise((resolve) => {
      const stopWaiting = clock.after(timeoutMs, () => {
        isAnswerOwed = true;
        settle?.({ outcome: 'silent' });
      });
      settle = (result) => {
        settle = null;
        stopWaiting();
        resolve(result);
      };
      onOwed(true);
      wire.write(commandPacket(text));
    });
  }

  return {
    link: {
      protocol: 'teltonika',
      kinds: ['text'],
      isOpen: () => wire.isOpen(),
      textFault(text) {
        const other = Array.from(text).find((it) => !/^[\x20-\x7e]$/.test(it));
        if (other === undefined) return null;
        const excerpt = /^\p{C}$/u.test(other) ? `U+${hex(other)}` : other;
        return `Teltonika's commands are in ASCII, which does not have the character ${excerpt}.`;
      },
      send(order, timeoutMs) {
        if (order.kind !== 'text')
          return Promise.resolve({ outcome: 'unsupported', detail: 'Teltonika has texts alone.' });
        const current = last.then(() => sendCommand(order.text, timeoutMs));
        last = current;
        return current;
      },
    },
    answered(text) {
      isAnswerOwed = false;
      onOwed(false);
      const response = text.trim();
      const isAwaited = settle !== null;
      settle?.({ outcome: 'responded', text: response === '' ? null : response });
      return isAwaited;
    },
    ended: () => settle?.({ outcome: 'ended' }),
  };
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
