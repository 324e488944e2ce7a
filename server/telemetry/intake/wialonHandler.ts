import {
  packetLength,
  packetsIn,
  readPacket,
  readSender,
  type Login,
  type Packet,
  answerLine,
  readChecked,
  readLogin,
} from '../protocols/wialon/packets.ts';
import {
  ProtocolMismatch,
  type Answer,
  type Message,
  type TcpProtocol,
  type UdpProtocol,
} from './protocolHandler.ts';
import {
  maxText,
  emptyReport,
  unreadableReports,
  type Origin,
  type TerminalReport,
  type Outcome,
} from '../terminalReport.ts';
import {
  blackBoxAnswer,
  dataAnswer,
  loginAnswer,
  messageAnswer,
  readData,
  splitBlackBox,
  type DataType,
} from '../protocols/wialon/dataPackets.ts';

const name = 'wialon';

/** Black boxes of some tens of kilobytes are usual. */
const longest = 128 * 1024;

/** What a datagram holds beyond that is not answered, and comes again. */
const maxInDatagram = 64;

type DatagramMessage = Parameters<UdpProtocol['take']>[0];

/** The intake's conversation with terminals of Wialon IPS, 1.1 and 2.0. */
export function createWialon(deps: WialonDeps): { tcp: TcpProtocol; udp: UdpProtocol } {
  return { tcp: overTcp(deps), udp: overUdp(deps) };
}

function overTcp(deps: WialonDeps): TcpProtocol {
  return {
    name,
    longest,
    frameLength(bytes) {
      const length = packetLength(bytes);
      if (length === null) throw new ProtocolMismatch('it does not begin with a type between two #');
      return length;
    },
    begin(wire) {
      const origin = { protocol: name, address: wire.remoteAddress };
      /** Who is logged in; null: nobody, and nothing is taken. */
      let owner: Login | null = null;

      async function take(message: Message): Promise<Answer> {
        const packet = readPacket(message.bytes);
        if (packet === null) return null;
        if (packet.type === 'L') {
          const login = logIn(packet.body, message, deps);
          owner = login.owner;
          if (owner !== null) wire.identify(owner.terminalId);
          return login.answer;
        }
        if (owner === null) {
          message.note(`${packet.type} before a login: not taken`);
          return null;
        }
        const answer = await answerPacket(packet, owner, message, { ...deps, origin });
        if (answer !== notAnswered) return answer;
        // Answers do not say what they answer: one to a later packet would pass for this one's.
        wire.destroy();
        return null;
      }

      return { take };
    },
  };
}

/** Each datagram says whose it is: no login is needed. */
function overUdp(deps: WialonDeps): UdpProtocol {
  async function answerOne(
    packet: Packet,
    sender: Login | null,
    message: DatagramMessage,
  ): Promise<PacketAnswer> {
    if (packet.type === 'L') return logIn(packet.body, message, deps).answer;
    if (sender === null) {
      message.note('it does not say which terminal it is');
      return notAnswered;
    }
    message.from(sender.terminalId);
    const origin = { protocol: name, address: message.remoteAddress };
    return answerPacket(packet, sender, message, { ...deps, origin });
  }

  return {
    name,
    async take(message) {
      const packets = packetsIn(message.bytes, maxInDatagram);
      if (packets.length === 0) throw new ProtocolMismatch('it has no type between two #');
      const answers: Buffer[] = [];
      let sender: Login | null = null;
      for (const packet of packets) {
        sender = readSender(packet.sender) ?? sender;
        const answer = await answerOne(packet, sender, message);
        // Answers do not say what they answer: one to a later packet would pass for this one's.
        if (answer === notAnswered) break;
        if (answer !== null) answers.push(answer);
      }
      return answers.length === 0 ? null : Buffer.concat(answers);
    },
  };
}

interface WialonDeps {
  /** Whether a vehicle has this terminal. */
  isKnown: (terminalId: string) => boolean;
  /** Notes that a terminal is there without saying where; resolves when that is stored. */
  heard: (terminalId: string, origin: Origin) => Promise<void>;
}

/** Nothing may be answered to this packet nor to those after it, so that the terminal sends them again. */
const notAnswered = Symbol('not answered');

/** What is answered; null: nothing is foreseen for it. */
type TextAnswer = Buffer | typeof notAnswered;
type PacketAnswer = TextAnswer | null;

/**
 * Takes a packet of a known terminal in and gives the answer, which is known after the commit.
 *
 * @param sender whose it is, and whether it ends with a CRC
 */
async function answerPacket(
  packet: Packet,
  sender: Login,
  message: Message,
  deps: WialonDeps & { origin: Origin },
): Promise<PacketAnswer> {
  const answer = await answerToWords(packet, sender, message);
  // An unidentified client does not get the reason for an error either.
  if (answer !== null) return deps.isKnown(sender.terminalId) ? answer : notAnswered;
  if (!deps.isKnown(sender.terminalId)) {
    await unknownTerminal(sender.terminalId, message);
    return notAnswered;
  }
  switch (packet.type) {
    case 'P':
      message.note('ping');
      await deps.heard(sender.terminalId, deps.origin);
      return answerLine('AP');
    case 'I':
      return answerPicture(packet.body, message);
    case 'IT':
    case 'T':
      return refuseTachograph(packet, message);
    default:
      // What this host never asks for: pictures (QI), tachograph files (QT), firmware (US), settings (UC), video.
      message.note(`${packet.type}: nothing is answered`);
      return null;
  }
}

/** The answer to what says something that is stored; null for anything else. */
async function answerToWords({ type, body }: Packet, sender: Login, message: Message): Promise<PacketAnswer> {
  switch (type) {
    case 'SD':
    case 'D':
      return answerData(type, body, sender, message);
    case 'B':
      return answerBlackBox(body, sender, message);
    case 'M':
      return answerText(body, sender, message);
    default:
      return null;
  }
}

/** Unknown terminals are recorded like all others: as a message without a vehicle. */
async function unknownTerminal(terminal_id: string, message: Message): Promise<void> {
  await message.accept([{ ...emptyReport, terminal_id }]);
}

/**
 * Whether a terminal may log in, and the response. Any password is accepted: terminals are identified by their number
 * here, by every protocol alike. The password crosses the network in plain text as the number does, so it proves no
 * more; and a terminal that comes from another platform keeps the one that it had there.
 */
function logIn(
  body: Buffer,
  message: Message,
  { isKnown }: Pick<WialonDeps, 'isKnown'>,
): { owner: Login | null; answer: Buffer | Promise<Buffer> } {
  const login = readLogin(body);
  if (login === 'bad_checksum') {
    message.undecodable('checksum: of a login');
    return { owner: null, answer: loginAnswer('checksum') };
  }
  if (login === null) {
    message.undecodable('a login without a number');
    return { owner: null, answer: loginAnswer('refused') };
  }
  message.from(login.terminalId);
  if (isKnown(login.terminalId)) {
    message.note('login');
    return { owner: login, answer: loginAnswer('welcome') };
  }
  message.note('a login of a terminal that no vehicle has');
  return {
    owner: null,
    answer: unknownTerminal(login.terminalId, message).then(() => loginAnswer('refused')),
  };
}

/** The text of a body; null when it should end with a CRC and does not. */
function textOf(body: Buffer, { isChecked }: Login, separator: ';' | '|'): string | null {
  return isChecked ? readChecked(body, separator) : body.toString('utf8');
}

/** What cannot be read, though it came as it was sent, is recorded like what is rejected, and answered after that. */
async function answerData(
  type: DataType,
  body: Buffer,
  sender: Login,
  message: Message,
): Promise<TextAnswer> {
  const text = textOf(body, sender, ';');
  if (text === null) {
    message.undecodable('checksum: the CRC does not fit');
    return dataAnswer(type, 'checksum');
  }
  const read = readData(type, text, sender.terminalId);
  if (read.fault !== null) {
    const { fault, heard } = read;
    message.undecodable(fault.why);
    const outcomes = await message.accept(unreadableReports(sender.terminalId, fault.why, { text }, heard));
    return outcomes.some(isToBeSentAgain) ? notAnswered : dataAnswer(type, fault.kind);
  }
  message.note(type === 'SD' ? 'short data' : 'data');
  const [outcome] = await message.accept([read.report]);
  if (outcome === undefined || isToBeSentAgain(outcome)) return notAnswered;
  return dataAnswer(type, outcome.status === 'rejected' ? refusedFor[outcome.code] : null);
}

/** The codes of what could be read and is recorded as rejected for good. */
const refusedFor = {
  time_in_future: 'time',
  invalid_coordinates: 'place',
  undecodable: 'structure',
  // Neither is said of what a terminal sends.
  unknown_terminal: 'structure',
  store_failed: 'structure',
} as const;

/**
 * As many count as taken as there is an end of: what was rejected and recorded too, and what can never be read, as the
 * terminal would send it for ever. Before 2.0 no CRC says that it came as it was sent, but TCP and UDP do.
 */
async function answerBlackBox(body: Buffer, sender: Login, message: Message): Promise<TextAnswer> {
  const text = textOf(body, sender, '|');
  if (text === null) {
    message.undecodable('checksum: of a black box');
    return blackBoxAnswer(null);
  }
  const { reports, why, count } = readBlackBox(text, sender.terminalId);
  if (why === null) message.note('black box');
  else message.undecodable(why);
  const outcomes = await message.accept(reports);
  return outcomes.some(isToBeSentAgain) ? notAnswered : blackBoxAnswer(count);
}

interface BlackBox {
  /** Of all that it says, what cannot be read at the end. */
  reports: TerminalReport[];
  /** Why something of it cannot be read. */
  why: string | null;
  count: number;
}

function readBlackBox(text: string, terminalId: string): BlackBox {
  const items = splitBlackBox(text);
  if (items === null) {
    const count = text.split('|').filter((one) => one.trim() !== '').length;
    const why = `black box of ${count}: no terminal has so many`;
    return { reports: unreadableReports(terminalId, why, { text }), why, count };
  }
  const reports: TerminalReport[] = [];
  const alarming: TerminalReport[] = [];
  const faulty: string[] = [];
  let firstWhy: string | null = null;
  for (const one of items) {
    const read = readData(one.type, one.text, terminalId);
    if (read.fault === null) {
      reports.push(read.report);
      continue;
    }
    const { fault, heard } = read;
    firstWhy ??= fault.why;
    // Submitted separately, because its alarms belong to its time.
    if (heard.alarms.length > 0)
      alarming.push(...unreadableReports(terminalId, fault.why, { text: one.text }, heard));
    else faulty.push(one.text);
  }
  const count = items.length;
  if (firstWhy === null) return { reports, why: null, count };
  const why = `black box, ${count - reports.length} of ${count}: ${firstWhy}`;
  const others = faulty.length === 0 ? [] : unreadableReports(terminalId, why, { text: faulty.join('|') });
  return { reports: [...reports, ...alarming, ...others], why, count };
}

/** What the driver writes; it is kept like any other word of the terminal's, at the time of receipt. */
async function answerText(body: Buffer, sender: Login, message: Message): Promise<TextAnswer> {
  const text = textOf(body, sender, ';');
  if (text === null) {
    message.undecodable('checksum: of a message of the driver');
    return messageAnswer('checksum');
  }
  message.note('a message of the driver');
  if (text.trim() === '') return messageAnswer('refused');
  const attributes = { text: text.slice(0, maxText) };
  const report = { ...emptyReport, terminal_id: sender.terminalId, attributes };
  const [outcome] = await message.accept([report]);
  return outcome === undefined || isToBeSentAgain(outcome) ? notAnswered : messageAnswer('taken');
}

/**
 * sz;ind;count;date;time;name. Pictures are not kept; they are answered as taken all the same, as a terminal that is
 * refused one sends it again and its positions wait behind it. Nobody asked for it: this host sends no QI.
 */
function answerPicture(body: Buffer, message: Message): Buffer {
  const [, index = '', count = ''] = body.toString('latin1').split(';');
  message.undecodable('a picture, which is not kept');
  if (!/^\d+$/.test(index)) return answerLine('AI', '0');
  const isLast = Number(index) + 1 >= Number(count);
  return Buffer.concat([answerLine('AI', `${index};1`), ...(isLast ? [answerLine('AI', '1')] : [])]);
}

/** A driver's file must not be lost by an answer that pretends to have it. */
function refuseTachograph({ type, body }: Packet, message: Message): Buffer {
  message.undecodable('a tachograph file, which is not taken');
  if (type === 'IT') return answerLine('AIT', '0');
  const [, , index = ''] = body.toString('latin1').split(';');
  return answerLine('AT', `${index};0`);
}

function isToBeSentAgain({ status }: Outcome): boolean {
  return status === 'failed' || status === 'unknown';
}
