import { z } from 'zod';
import { readVectors } from '../readVectors.ts';

const position = z.object({
  time: z.string(),
  priority: z.number(),
  lat: z.number(),
  lon: z.number(),
  alt_m: z.number(),
  course_deg: z.number(),
  sats: z.number(),
  speed_kmh: z.number(),
  valid: z.boolean(),
  event_io: z.number(),
  generation_type: z.number().optional(),
  io: z.record(z.string(), z.string()),
});

const vector = z.object({
  id: z.string(),
  transport: z.literal('tcp'),
  input_encoding: z.literal('hex'),
  input: z.string(),
  expect: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('login'), device_id: z.string(), reply_hex: z.string() }),
    z.object({ kind: z.literal('framing'), first_frame_hex: z.string() }),
    z.object({
      kind: z.literal('positions'),
      codec: z.enum(['08', '8e', '10']),
      count: z.number(),
      crc_ok: z.boolean(),
      length_ok: z.boolean(),
      reply_hex: z.string(),
      positions: z.array(position),
    }),
  ]),
});
type Vector = z.infer<typeof vector>;
type VectorOf<Kind extends Vector['expect']['kind']> = Vector & {
  expect: Extract<Vector['expect'], { kind: Kind }>;
};

/** What was collected from other programs and the maker's documentation; none where the file is not there. */
export const teltonikaVectors: Vector[] = readVectors('teltonika.jsonl', vector);

export const noVectors = 'the collected vectors (data/protocols/teltonika.jsonl) are not on this machine';

export function vectorsOf<Kind extends Vector['expect']['kind']>(kind: Kind): VectorOf<Kind>[] {
  return teltonikaVectors.filter((it): it is VectorOf<Kind> => it.expect.kind === kind);
}

/** Those that a strict server takes. */
export const goodPackets = vectorsOf('positions').filter(({ expect: it }) => it.crc_ok && it.length_ok);

/** Those whose length or CRC is wrong: their records must not be taken, whatever a lenient reader makes of them. */
export const brokenPackets = vectorsOf('positions').filter(({ expect: it }) => !it.crc_ok || !it.length_ok);
