import { expect, test } from 'vitest';
import {
  commandPacket,
  readCommandAnswer,
} from '../../../../../server/telemetry/protocols/teltonika/commands.ts';
import { readFrame } from '../../../../../server/telemetry/protocols/teltonika/frames.ts';

// The examples of wiki.teltonika-gps.com, "Codec", codec 12.
const getinfo = '000000000000000f0c010500000007676574696e666f0100004312';
const getinfoAnswer =
  '00000000000000900c010600000088494e493a323031392f372f323220373a3232205254433a323031392f372f323220373a3533205253543a32204552523a312053523a302042523a302043463a302046473a3020464c3a302054553a302f302055543a3020534d533a30204e4f4750533a303a3330204750533a31205341543a302052533a332052463a36352053463a31204d443a30010000c78f';

function dataOf(hex: string): Buffer {
  const frame = readFrame(Buffer.from(hex, 'hex'));
  if (frame.kind !== 'packet') throw new Error(`a frame of the kind ${frame.kind}`);
  return frame.data;
}

test('a command is written as in the maker’s documentation', () => {
  expect(commandPacket('getinfo').toString('hex')).toBe(getinfo);
});

test('an answer is read as in the maker’s documentation', () => {
  expect(readCommandAnswer(dataOf(getinfoAnswer))).toBe(
    'INI:2019/7/22 7:22 RTC:2019/7/22 7:53 RST:2 ERR:1 SR:0 BR:0 CF:0 FG:0 FL:0 TU:0/0 UT:0 SMS:0 NOGPS:0:30 GPS:1 SAT:0 RS:3 RF:65 SF:1 MD:0',
  );
});

test('an answer of a wrong kind or length is ignored', () => {
  expect(readCommandAnswer(dataOf(getinfo))).toBeNull();
  const data = Buffer.from(dataOf(getinfoAnswer));
  expect(readCommandAnswer(data.subarray(0, -1))).toBeNull();
  expect(readCommandAnswer(Buffer.concat([data, Buffer.of(1)]))).toBeNull();
  expect(readCommandAnswer(Buffer.of(0x0c, 1))).toBeNull();
});
