import { avlReport } from '../protocols/teltonika/avlReport.ts';
import { readAvlData } from '../protocols/teltonika/avlRecords.ts';
import { isText, readCommandAnswer } from '../protocols/teltonika/commands.ts';
import { datagramAnswer, readDatagram } from '../protocols/teltonika/datagram.ts';
import { answers, frameLength, longestFrame, readFrame } from '../protocols/teltonika/frames.ts';
import { emptyReport, unreadableReport, type Origin } from '../report.ts';
import {
  Foreign,
  type Answer,
  type Conversation,
  type Message,
  type TcpProtocol,
  type UdpProtocol,
  type Wire,
} from './intakeProtocol.ts';

export interface TeltonikaParts {
  /** Whether a vehicle has this terminal. */
  isKnown: (imei: string) => boolean;
  /** Notes that a terminal is there without saying where; resolves when that is stored. */
  heard: (imei: string, origin: Origin) => Promise<void>;
}

const name = 'teltonika';
const longestNote = 200;

/** Teltonika's Codec 8, 8 Extended and 16, over TCP and over UDP. */
export function createTeltonika(parts: TeltonikaParts): { tcp: TcpProtocol; udp: UdpProtocol } {
  return {
    tcp: {
      name,
      longest: longestFrame,
      frameLength(bytes) {
        const length = frameLength(bytes);
        if (length === null) throw new Foreign('it begins with neither an IMEI nor a packet');
        return length;
      },
      begin: (wire) => createConversation(wire, parts),
    },
    udp: { name, take: takeDatagram },
  };
}

function createConversation(wire: Wire, { isKnown, heard }: TeltonikaParts): Conversation {
  let owner: string | null = null;
  let isRefused = false;

  async function logIn(message: Message, imei: string): Promise<Answer> {
    message.note(`IMEI ${imei}`);
    if (isKnown(imei)) {
      owner = imei;
      wire.identify(imei);
      return answers.welcome;
    }
    isRefused = true;
    // Terminals that knock are recorded by way of all others: as a message that no vehicle has a use for.
    await message.accept([{ ...emptyReport, terminal_id: imei }]);
    wire.end();
    return answers.refusal;
  }

  async function takeRecords(message: Message, data: Buffer, imei: string): Promise<Answer> {
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
      if (owner === null && frame.kind !== 'ping') throw new Foreign('a packet before the IMEI');
      if (frame.kind === 'ping') {
        message.note('keep-alive');
        if (owner !== null) await heard(owner, { protocol: name, address: wire.remoteAddress });
        return null;
      }
      if (frame.kind === 'packet' && owner !== null) return takeRecords(message, frame.data, owner);
      message.unreadable('the CRC does not fit');
      return answers.taken(0);
    },
  };
}

async function takeDatagram(message: Message): Promise<Answer> {
  const datagram = readDatagram(message.bytes);
  if (datagram === null) throw new Foreign('it is no datagram of a terminal');
  const taken = await storeRecords(message, datagram.data, datagram.imei);
  return typeof taken === 'number' ? datagramAnswer(datagram, taken) : null;
}

/**
 * Hands in the records of a packet. Returns how many the terminal is to be told: what is refused for good counts, and so
 * does what can never be read, as soon as that is recorded: it would be sent for ever. `not_taken`: it is to send all of
 * it again, as when the store failed, or its vehicle is gone since it came. `text`: there is no answer to it.
 */
async function storeRecords(
  message: Message,
  data: Buffer,
  imei: string,
): Promise<number | 'text' | 'not_taken'> {
  const read = readAvlData(data);
  if (read.kind === 'other' && isText(read.codec)) {
    const said = readCommandAnswer(data);
    message.note(
      said === null ? `a text of codec ${read.codec}` : `an answer: ${said.slice(0, longestNote)}`,
    );
    return 'text';
  }
  if (read.kind === 'other') {
    // A terminal that is set to another codec keeps its records, and sends them when that is put right.
    message.unreadable(`codec ${read.codec} is not read here`);
    return 0;
  }
  const reports = read.records.map((record) => avlReport(record, imei));
  if (read.kind === 'unreadable') {
    const why = 'the records do not end where their counts say';
    message.unreadable(why);
    reports.push(unreadableReport(imei, why, { hex: data.toString('hex') }));
  }
  const outcomes = await message.accept(reports);
  const isTaken = outcomes.every(({ status }) => status !== 'failed' && status !== 'unknown');
  return isTaken ? read.count : 'not_taken';
}
