import { blackBoxAnswer, dataAnswer, loginAnswer, messageAnswer } from '../protocols/wialon/answers.ts';
import { readData, splitBlackBox, type DataType } from '../protocols/wialon/dataPackets.ts';
import { answerLine, readChecked, readLogin, type Login, type Packet } from '../protocols/wialon/packets.ts';
import { Fault } from '../protocols/wialon/values.ts';
import { emptyReport, unreadableReport, type Origin, type Report } from '../report.ts';
import type { Outcome } from './accept.ts';
import type { Message } from './intakeProtocol.ts';

export interface WialonParts {
  /** Whether a vehicle has this terminal. */
  isKnown: (terminalId: string) => boolean;
  /** Notes that a terminal is there without saying where; resolves when that is stored. */
  heard: (terminalId: string, origin: Origin) => Promise<void>;
}

/** Nothing may be answered to this packet nor to those after it, so that the terminal sends them again. */
export const notAnswered = Symbol('not answered');

/** What is answered; null: nothing is foreseen for it. */
export type PacketAnswer = Buffer | null | typeof notAnswered;

/**
 * Takes a packet of a known terminal in and gives the answer, which is known after the commit.
 *
 * @param sender whose it is, and whether it ends with a CRC
 */
export async function answerPacket(
  packet: Packet,
  sender: Login,
  message: Message,
  parts: WialonParts & { origin: Origin },
): Promise<PacketAnswer> {
  switch (packet.type) {
    case 'SD':
    case 'D':
      return answerData(packet.type, packet.body, sender, message);
    case 'B':
      return answerBlackBox(packet.body, sender, message);
    case 'M':
      return answerText(packet.body, sender, message);
  }
  if (!parts.isKnown(sender.terminalId)) {
    await knock(sender.terminalId, message);
    return notAnswered;
  }
  switch (packet.type) {
    case 'P':
      message.note('ping');
      await parts.heard(sender.terminalId, parts.origin);
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

/** Terminals that knock are recorded by way of all others: as a message that no vehicle has a use for. */
async function knock(terminal_id: string, message: Message): Promise<void> {
  await message.accept([{ ...emptyReport, terminal_id }]);
}

/**
 * Whether a terminal may come in, and what it is told. Any password will do: terminals are known by their number here,
 * by every protocol alike. The password crosses the network in plain text as the number does, so it proves no more; and
 * a terminal that comes from another platform keeps the one that it had there.
 */
export function logIn(
  body: Buffer,
  message: Message,
  { isKnown }: Pick<WialonParts, 'isKnown'>,
): { owner: Login | null; answer: Buffer | Promise<Buffer> } {
  const login = readLogin(body);
  if (login === 'bad_checksum') {
    message.unreadable('checksum: of a login');
    return { owner: null, answer: loginAnswer('checksum') };
  }
  if (login === null) {
    message.unreadable('a login without a number');
    return { owner: null, answer: loginAnswer('refused') };
  }
  if (isKnown(login.terminalId)) {
    message.note('login');
    return { owner: login, answer: loginAnswer('welcome') };
  }
  message.note('a login of a terminal that no vehicle has');
  return { owner: null, answer: knock(login.terminalId, message).then(() => loginAnswer('refused')) };
}

/** The text of a body; null when it should end with a CRC and does not. */
function textOf(body: Buffer, { isChecked }: Login, separator: ';' | '|'): string | null {
  return isChecked ? readChecked(body, separator) : body.toString('utf8');
}

async function answerData(
  type: DataType,
  body: Buffer,
  sender: Login,
  message: Message,
): Promise<PacketAnswer> {
  try {
    const text = textOf(body, sender, ';');
    if (text === null) throw new Fault('checksum', 'the CRC does not fit');
    const report = readData(type, text, sender.terminalId);
    message.note(type === 'SD' ? 'short data' : 'data');
    const [outcome] = await message.accept([report]);
    if (outcome === undefined || isToBeSentAgain(outcome)) return notAnswered;
    return dataAnswer(type, outcome.status === 'refused' ? refusedFor[outcome.code] : null);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    message.unreadable(error.message);
    return dataAnswer(type, error.kind);
  }
}

/** The codes of what could be read and is recorded as refused for good. */
const refusedFor = {
  in_the_future: 'time',
  impossible_coordinate: 'place',
  unreadable: 'structure',
  // Neither is said of what a terminal sends.
  unknown_terminal: 'structure',
  store_failed: 'structure',
} as const;

/**
 * As many count as taken as there is an end of: what was refused and recorded too, or the terminal would send it for
 * ever. What cannot be read is refused likewise when the CRC says that it came as it was sent. Before 2.0 there is none:
 * what cannot be read does not count, as it may come whole the next time.
 */
async function answerBlackBox(body: Buffer, sender: Login, message: Message): Promise<PacketAnswer> {
  const text = textOf(body, sender, '|');
  if (text === null) {
    message.unreadable('checksum: of a black box');
    return blackBoxAnswer(null);
  }
  const items = splitBlackBox(text);
  const reports: Report[] = [];
  const faulty: { text: string; why: string }[] = [];
  for (const one of items) {
    try {
      reports.push(readData(one.type, one.text, sender.terminalId));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faulty.push({ text: one.text, why: error.message });
    }
  }
  const counted = sender.isChecked ? items.length : reports.length;
  const [firstFault] = faulty;
  if (firstFault === undefined) message.note('black box');
  else {
    const why = `black box, ${faulty.length} of ${items.length}: ${firstFault.why}`;
    message.unreadable(why);
    const texts = faulty.map((it) => it.text).join('|');
    if (sender.isChecked) reports.push(unreadableReport(sender.terminalId, why, { text: texts }));
  }
  const outcomes = await message.accept(reports);
  return outcomes.some(isToBeSentAgain) ? notAnswered : blackBoxAnswer(counted);
}

/** What the driver writes; it is kept like any other word of the terminal's, at the time of receipt. */
async function answerText(body: Buffer, sender: Login, message: Message): Promise<PacketAnswer> {
  const text = textOf(body, sender, ';');
  if (text === null) {
    message.unreadable('checksum: of a message of the driver');
    return messageAnswer('checksum');
  }
  message.note('a message of the driver');
  if (text.trim() === '') return messageAnswer('refused');
  const attributes = { text: text.slice(0, longestText) };
  const report = { ...emptyReport, terminal_id: sender.terminalId, attributes };
  const [outcome] = await message.accept([report]);
  return outcome === undefined || isToBeSentAgain(outcome) ? notAnswered : messageAnswer('taken');
}

/** What the contract allows an attribute. */
const longestText = 2_000;

/**
 * sz;ind;count;date;time;name. Pictures are not kept; they are answered as taken all the same, as a terminal that is
 * refused one sends it again and its positions wait behind it. Nobody asked for it: this host sends no QI.
 */
function answerPicture(body: Buffer, message: Message): Buffer {
  const [, index = '', count = ''] = body.toString('latin1').split(';');
  message.unreadable('a picture, which is not kept');
  if (!/^\d+$/.test(index)) return answerLine('AI', '0');
  const isLast = Number(index) + 1 >= Number(count);
  return Buffer.concat([answerLine('AI', `${index};1`), ...(isLast ? [answerLine('AI', '1')] : [])]);
}

/** A driver's file must not be lost by an answer that pretends to have it. */
function refuseTachograph({ type, body }: Packet, message: Message): Buffer {
  message.unreadable('a tachograph file, which is not taken');
  if (type === 'IT') return answerLine('AIT', '0');
  const [, , index = ''] = body.toString('latin1').split(';');
  return answerLine('AT', `${index};0`);
}

function isToBeSentAgain({ status }: Outcome): boolean {
  return status === 'failed' || status === 'unknown';
}
