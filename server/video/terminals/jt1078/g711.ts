import { payloadTypes } from './mediaPacket.ts';

/** Linear samples of 16 bits of a code byte: ITU-T G.711, tables 1a and 2a, scaled up as G.191's reference does. */
const aLaw = Int16Array.from({ length: 256 }, (_, code) => {
  const value = code ^ 0x55;
  const segment = (value & 0x70) >> 4;
  const step = ((value & 0x0f) << 4) + 8;
  const size = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return (value & 0x80) === 0 ? -size : size;
});

const muLaw = Int16Array.from({ length: 256 }, (_, code) => {
  const value = ~code & 0xff;
  const bias = 0x84;
  const size = ((((value & 0x0f) << 3) + bias) << ((value & 0x70) >> 4)) - bias;
  return (value & 0x80) === 0 ? size : -size;
});

/** G.711 is 8,000 samples a second, one channel. */
export const g711Rate = 8_000;

export function decodeG711(payload: Uint8Array, payloadType: number): Int16Array {
  const table = payloadType === payloadTypes.g711a ? aLaw : muLaw;
  return Int16Array.from(payload, (code) => table[code] ?? 0);
}
