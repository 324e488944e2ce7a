import { describe, expect, test } from 'vitest';
import { terminalId as terminalIdField } from '../../../../server/contract/fields.ts';
import { jt808Vectors, noVectors, type Jt808Vector } from '../protocols/jt808/jt808Data.ts';
import { expectStated } from '../protocols/jt808/statedPositions.ts';
import { openJt808TestListener, type Jt808TestListener } from './jt808TestListener.ts';
import { authentication, connectRaw, readWire, type RawTerminal, type WireMessage } from './jt808Wire.ts';

// What the collectors of the vectors state is answered, over real sockets. Where this host answers otherwise the vector
// stands here, with the reason.

type Deviation = { why: string; answers: readonly string[] };

const attachments =
  'alarm attachments are announced and sent on a connection of their own, to a server that 9208 names to the terminal; this host sends none, and an "ok" would promise to take the files';
const zeros =
  'a number of zeros is what a terminal has that was never set up: no vehicle can have it, as any two such terminals would be one';
const otherLength =
  'the frames of this maker (5501, 5502) have a serial of one byte, so that their length never is what their header says';

/** By vector: the bodies of the answers, behind their ids. */
const deviations: Readonly<Record<string, Deviation>> = {
  'jt808-003': { why: zeros, answers: ['8001 0225020001'] },
  'jt808-095': { why: zeros, answers: ['8001 0001020001'] },
  'jt808-065': { why: otherLength, answers: [] },
  'jt808-067': { why: otherLength, answers: [] },
  'jt808-go-056': { why: attachments, answers: ['8001 0000121003'] },
  'jt808-go-058': { why: attachments, answers: ['8001 0001121203'] },
  'jt808-go-059': { why: attachments, answers: ['8001 0001121203'] },
};

const bytesOf = ({ input }: Jt808Vector) => Buffer.from(input, 'hex');
const asText = ({ id, body }: WireMessage) => `${id} ${body}`;
const words = (...values: readonly number[]) => values.map((it) => it.toString(16).padStart(4, '0')).join('');

/** A frame that is none by what the collectors state: it is not answered, and costs nothing but itself. */
const isRejected = ({ expect: it }: Jt808Vector) => it.checksum_ok === false || it.kind === 'reject';
const isFraming = ({ expect: it }: Jt808Vector) => it.kind === 'framing';
const headOf = (vector: Jt808Vector) => readWire(bytesOf(vector));

/** Whether these are the answers that the vector states. */
function isAsStated(vector: Jt808Vector, answers: readonly WireMessage[]): boolean {
  const { reply, reply_frame_hex } = vector.expect;
  if (isRejected(vector)) return answers.length === 0;
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) return false;
  const { id, serial, phone } = headOf(vector);
  if (answer.phone !== phone) return false;
  // The serial is the host's own.
  if (reply_frame_hex !== undefined)
    return answer.unnumbered === readWire(Buffer.from(reply_frame_hex, 'hex')).unnumbered;
  if (reply?.msg_id === '8100') {
    const head = `${words(reply.ack_serial ?? -1)}0${reply.result}`;
    return answer.id === '8100' && answer.body.startsWith(head) && answer.body.length > head.length;
  }
  if (reply !== undefined) {
    const body = `${words(reply.ack_serial ?? -1)}${reply.ack_id}0${reply.result}`;
    return asText(answer) === `${reply.msg_id} ${body}`;
  }
  // Nothing is stated: the general answer is fitting, and 8800 to a picture.
  if (isPicture(vector)) return answer.id === '8800';
  return answer.id === '8001' && answer.body.startsWith(`${words(serial)}${id}`);
}

/** Whole, not a part of one. */
const isPicture = ({ expect: it }: Jt808Vector) => it.msg_id === '0801' && it.kind !== 'subpacket';

function expectAnswers(vector: Jt808Vector, answers: readonly WireMessage[]): void {
  const deviation = deviations[vector.id];
  if (deviation === undefined)
    expect([answers.map(asText), isAsStated(vector, answers)]).toEqual([answers.map(asText), true]);
  else expect(answers.map(asText)).toEqual(deviation.answers);
}

/** How many answers there are to one; none comes after them, which is seen at the end of the connection. */
const countOf = (vector: Jt808Vector) =>
  deviations[vector.id]?.answers.length ?? (isRejected(vector) ? 0 : 1);

/** The number that a vector is said under; of those that are no message, any. */
function phoneOf(vector: Jt808Vector): string {
  if (vector.expect.phone_bcd !== undefined) return vector.expect.phone_bcd;
  return isRejected(vector) || isFraming(vector) ? '013800001234' : headOf(vector).phone;
}

const terminalIdOf = (phone: string) => phone.replace(/^0+(?=.)/, '');

/** Comes as the terminal of this number, which a vehicle has if one can. */
async function comeAs(listener: Jt808TestListener, phone: string): Promise<RawTerminal> {
  const id = terminalIdOf(phone);
  if (terminalIdField.safeParse(id).success) listener.known.add(id);
  const terminal = await connectRaw(listener.listener.port);
  await terminal.write(authentication(phone));
  await terminal.until(1);
  expect(terminal.received.splice(0).map((it) => it.body.slice(-2))).toEqual([
    listener.known.has(id) ? '00' : '01',
  ]);
  listener.taken.splice(0);
  return terminal;
}

const positionsOf = ({ id, expect: stated }: Jt808Vector) =>
  deviations[id] === undefined ? stated.positions : undefined;

/** Sends one so many times, in these pieces; each time it is answered, and decoded, as stated. */
async function expectEachTime(vector: Jt808Vector, times: number, pieces: readonly Buffer[]): Promise<void> {
  const listener = await openJt808TestListener();
  const phone = phoneOf(vector);
  const terminal = await comeAs(listener, phone);
  const count = countOf(vector);
  await terminal.write(...pieces);
  await terminal.until(times * count);
  const answers = terminal.received.splice(0, times * count);
  const positions = positionsOf(vector);
  for (let at = 0; at < times; at += 1) {
    expectAnswers(vector, answers.slice(at * count, (at + 1) * count));
    if (positions !== undefined) expectStated(listener.taken.splice(0, positions.length), positions, phone);
  }
  await terminal.write(authentication(phone));
  await terminal.until(1);
  await terminal.close();
  // Nothing came late, and the connection was still there.
  const result = listener.known.has(terminalIdOf(phone)) ? '00' : '01';
  expect(terminal.received.map((it) => it.body.slice(4))).toEqual([`0102${result}`]);
  if (positions !== undefined) expect(listener.taken).toEqual([]);
}

const answered = jt808Vectors.filter((it) => !isFraming(it));

describe('each collected vector is answered as stated', () => {
  if (answered.length === 0)
    test('each collected vector is answered as stated over a socket', ({ skip }) => skip(noVectors));

  test.each(answered)('$id, whole and byte by byte', async (vector) => {
    const bytes = bytesOf(vector);
    await expectEachTime(vector, 2, [bytes, ...Array.from(bytes, (byte) => Buffer.of(byte))]);
  });

  test.each(answered)('$id, cut in two at every byte', async (vector) => {
    const bytes = bytesOf(vector);
    const times = bytes.length - 1;
    // What is left of one comes with the beginning of the next, which is a byte longer.
    const joints = Array.from({ length: times - 1 }, (_, at) =>
      Buffer.concat([bytes.subarray(at + 1), bytes.subarray(0, at + 2)]),
    );
    await expectEachTime(vector, times, [bytes.subarray(0, 1), ...joints, bytes.subarray(times)]);
  });
});

describe('vectors that are glued together are each answered as stated', () => {
  const phones = [...new Set(answered.map(phoneOf))];
  if (phones.length === 0)
    test('vectors that are glued together are each answered as stated over a socket', ({ skip }) =>
      skip(noVectors));

  test.each(phones)('the vectors of %s are answered', async (phone) => {
    const listener = await openJt808TestListener();
    const terminal = await comeAs(listener, phone);
    const vectors = answered.filter((it) => phoneOf(it) === phone);
    const twice = [...vectors, ...vectors];
    await terminal.write(Buffer.concat(twice.map(bytesOf)));
    await terminal.until(twice.reduce((sum, it) => sum + countOf(it), 0));
    await terminal.close();
    const left = [...terminal.received];
    for (const vector of twice) {
      // Answers are written as they are known; each names what it answers.
      expectAnswers(vector, takeAnswers(left, vector));
    }
    expect(left).toEqual([]);
    for (const vector of twice) {
      const positions = positionsOf(vector);
      const reports = listener.taken.splice(0, countOf(vector) === 0 ? 0 : reportsOf(vector));
      if (positions !== undefined) expectStated(reports, positions, phone);
    }
  });

  /** How many reports are stored of a message. */
  function reportsOf(vector: Jt808Vector): number {
    const { id, body } = headOf(vector);
    if (deviations[vector.id] !== undefined) return 0;
    if (id === '0704') return Number.parseInt(body.slice(0, 4), 16);
    return ['0200', '0201', '0702', '0800', '0801'].includes(id) ? 1 : 0;
  }

  /** Takes the answers to a vector out of those that came. */
  function takeAnswers(from: WireMessage[], vector: Jt808Vector): WireMessage[] {
    if (countOf(vector) === 0) return [];
    const { id, serial } = headOf(vector);
    const general = `8001 ${words(serial)}${id}`;
    const own = isPicture(vector) ? '8800 ' : id === '0100' ? `8100 ${words(serial)}` : general;
    const at = from.findIndex((it) => asText(it).startsWith(own));
    return at < 0 ? [] : from.splice(at, 1);
  }
});

describe('frames', () => {
  const framing = jt808Vectors.filter(isFraming);
  if (framing.length === 0) test('frames of the vectors are found', ({ skip }) => skip(noVectors));

  test.each(framing)('frames of vector $id are found', async (vector) => {
    const listener = await openJt808TestListener();
    const terminal = await connectRaw(listener.listener.port);
    await terminal.write(bytesOf(vector));
    await terminal.close();
    const { frames = 1 } = vector.expect;
    // What stands before the first frame passes for one.
    const before = bytesOf(vector)[0] === 0x7e ? 0 : 1;
    expect(listener.listener.messages.latest()).toHaveLength(frames + before);
  });
});

test('each deviation has its vector, and is one', ({ skip }) => {
  if (jt808Vectors.length === 0) skip(noVectors);
  for (const [id, { answers }] of Object.entries(deviations)) {
    const vector = jt808Vectors.find((it) => it.id === id);
    if (vector === undefined) throw new Error(`there is no vector ${id}`);
    const { phone } = headOf(vector);
    const messages = answers.map((it) => {
      const [number = '', body = ''] = it.split(' ');
      return { id: number, body, phone, serial: 0, unnumbered: '' };
    });
    expect([id, isAsStated(vector, messages)]).toEqual([id, false]);
  }
});
