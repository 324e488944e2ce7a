import { asBuffer, type Header } from './message.ts';

/** What a terminal says of itself when it registers. */
export interface Registration {
  maker: string;
  model: string;
  /** The maker's own, not the number that it is known by. */
  deviceId: string;
  plate: string;
}

// Widths of maker, model and device: JT/T 808-2011 table 6, 2013 table 7, 2019 table 9.
const layouts = {
  2011: [5, 8, 7],
  2013: [5, 20, 7],
  2019: [11, 30, 30],
} as const;

const gbk = new TextDecoder('gbk');

/** 0x0100. Null for a body that is too short. */
export function readRegistration(
  body: Uint8Array,
  { version }: Pick<Header, 'version'>,
): Registration | null {
  const lengthOf = ([maker, model, device]: readonly [number, number, number]) =>
    4 + maker + model + device + 1;
  const layout =
    version !== null ? layouts[2019] : body.length >= lengthOf(layouts[2013]) ? layouts[2013] : layouts[2011];
  if (body.length < lengthOf(layout)) return null;
  const [maker, model, device] = layout;
  let at = 4;
  const text = (length: number) => {
    const bytes = body.subarray(at, at + length);
    at += length;
    return gbk.decode(bytes).replaceAll('\0', '').trim();
  };
  const fields = { maker: text(maker), model: text(model), deviceId: text(device) };
  at += 1;
  return { ...fields, plate: text(body.length - at) };
}

/** 0x0001: what became of a message of the platform. Null for a body that is too short. */
export function readGeneralAnswer(body: Uint8Array): { serial: number; id: number; outcome: number } | null {
  if (body.length < 5) return null;
  const bytes = asBuffer(body);
  return { serial: bytes.readUInt16BE(0), id: bytes.readUInt16BE(2), outcome: bytes.readUInt8(4) };
}

/** The serial of the platform's message that an answer names first; null for a body that names none. */
export function answeredSerial(body: Uint8Array): number | null {
  return body.length < 2 ? null : asBuffer(body).readUInt16BE(0);
}
