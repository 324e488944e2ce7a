import { z } from 'zod';
import { readVectors } from '../readVectors.ts';

const number = z.number().nullable().optional();
const position = z.strictObject({
  time: z.string().nullable(),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  speed_kmh: number,
  course_deg: number,
  alt_m: number,
  sats: number,
  hdop: number,
  inputs: number,
  outputs: number,
  adc: z.array(z.number()).optional(),
  ibutton: z.string().nullable().optional(),
  params: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
});

const vector = z.object({
  id: z.string(),
  transport: z.enum(['tcp', 'udp']),
  input: z.string(),
  expect: z.object({
    packet: z.string(),
    kind: z.string(),
    version: z.string().optional(),
    device_id: z.string().optional(),
    count: z.number().optional(),
    crc: z.object({ given: z.string(), calc: z.string(), ok: z.boolean() }).optional(),
    positions: z.array(position).optional(),
    reply_text: z.string().optional(),
  }),
});
export type WialonVector = z.infer<typeof vector>;

/** Packets of real terminals, as other programs' tests have them; empty where the data is not there. */
export const wialonVectors: WialonVector[] = readVectors('wialon-ips.jsonl', vector);

export const noVectors = 'the collected vectors (data/protocols/wialon-ips.jsonl) are not on this machine';
