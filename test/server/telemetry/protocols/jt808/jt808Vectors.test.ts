import { expect, test } from 'vitest';
import { readLocation, readLocationBatch } from '../../../../../server/telemetry/protocols/jt808/location.ts';
import { readMessage, type Message } from '../../../../../server/telemetry/protocols/jt808/message.ts';
import { readRegistration } from '../../../../../server/telemetry/protocols/jt808/bodies.ts';
import { jt808Vectors, noVectors, type Jt808Vector } from './jt808Data.ts';
import { framesOf } from './jt808Frames.ts';
import { expectStated } from './statedPositions.ts';

function messagesIn(hex: string): Message[] {
  const frames = framesOf(Buffer.from(hex, 'hex'));
  return frames.flatMap((frame) => readMessage(frame) ?? []);
}

if (jt808Vectors.length === 0) {
  test('the JT/T 808 decoder reads the vectors that were collected from other programs', ({ skip }) =>
    skip(noVectors));
}

/** One maker's frames have a serial of one byte in these, so that their length never fits. */
const foreignIds: unknown[] = ['5501', '5502'];
const isBroken = ({ expect: it }: Jt808Vector) =>
  it.checksum_ok === false || it.kind === 'reject' || foreignIds.includes(it.msg_id);
const reads = jt808Vectors.filter((it) => !isBroken(it));
const ofKind = (kind: string) => reads.filter((it) => it.expect.kind === kind);

test.each(reads.filter((it) => it.expect.phone_bcd !== undefined))(
  'the JT/T 808 decoder reads the header of vector $id',
  ({ input, expect: stated }) => {
    const [message] = messagesIn(input);
    expect(message?.id.toString(16).padStart(4, '0')).toBe(stated.msg_id);
    expect(message?.phoneBcd).toBe(stated.phone_bcd);
    expect(message?.serial).toBe(stated.serial);
    expect(message?.version === null ? '2011/2013' : '2019').toBe(stated.standard);
    if (stated.encryption !== undefined) expect(message?.isEncrypted).toBe(stated.encryption !== 0);
    if (stated.body_len !== undefined) expect(message?.body).toHaveLength(stated.body_len);
  },
);

test.each(jt808Vectors.filter(isBroken))(
  'the JT/T 808 decoder takes nothing of vector $id, which is broken',
  ({ input }) => {
    expect(messagesIn(input)).toEqual([]);
  },
);

test.each(ofKind('framing'))(
  'the JT/T 808 decoder finds the frames of vector $id',
  ({ input, expect: { frames = 1 } }) => {
    const bytes = Buffer.from(input, 'hex');
    const start = bytes.indexOf(0x7e);
    expect(framesOf(bytes.subarray(start))).toHaveLength(frames);
    // What stands before is cut off as one more, which is no message.
    expect(framesOf(bytes).filter((it) => it.length > start || readMessage(it) !== null)).toHaveLength(
      frames,
    );
  },
);

test.each(ofKind('subpacket'))(
  'the JT/T 808 decoder sees that vector $id is a part',
  ({ input, expect: stated }) => {
    expect(messagesIn(input)[0]?.part).toEqual({ total: stated.packets_total, number: stated.packet_no });
  },
);

test.each(ofKind('positions').filter((it) => it.expect.positions !== undefined))(
  'the JT/T 808 decoder reads the positions of vector $id as stated',
  ({ input, expect: stated }) => {
    const [message] = messagesIn(input);
    if (message === undefined) throw new Error('no message');
    const one = message.id === 0x0200 ? readLocation(message.body, message) : null;
    const batch = readLocationBatch(message.body, message);
    if (one === null) expect(batch.isWhole).toBe(true);
    expectStated(one === null ? batch.reports : [one], stated.positions ?? [], stated.phone_bcd ?? '');
  },
);

test.each(ofKind('register').filter((it) => it.expect.maker !== undefined))(
  'the JT/T 808 decoder reads the registration of vector $id',
  ({ input, expect: stated }) => {
    const [message] = messagesIn(input);
    expect(message === undefined ? null : readRegistration(message.body, message)).toEqual({
      maker: stated.maker,
      model: stated.model,
      deviceId: stated.terminal_id,
      plate: stated.plate,
    });
  },
);
