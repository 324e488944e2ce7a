import { z } from 'zod';
import { readVectors } from '../readVectors.ts';

const position = z.object({
  alarm: z.string(),
  status: z.string(),
  acc: z.boolean(),
  valid: z.boolean(),
  lat: z.number(),
  lon: z.number(),
  alt_m: z.number(),
  speed_kmh: z.number(),
  course_deg: z.number(),
  time: z.string().nullable(),
  extra: z.array(z.tuple([z.string(), z.string()])),
  extra_truncated: z.unknown().optional(),
  mileage_km: z.number().optional(),
  rssi: z.number().optional(),
  sats: z.number().optional(),
});

const vector = z.object({
  id: z.string(),
  input: z.string(),
  expect: z.object({
    kind: z.string(),
    msg_id: z.string().nullable().optional(),
    serial: z.number().optional(),
    phone_bcd: z.string().optional(),
    standard: z.string().optional(),
    checksum_ok: z.boolean().nullable().optional(),
    encryption: z.number().optional(),
    body_len: z.number().optional(),
    frames: z.number().optional(),
    packets_total: z.number().optional(),
    packet_no: z.number().optional(),
    positions: z.array(position).optional(),
    maker: z.string().optional(),
    model: z.string().optional(),
    terminal_id: z.string().optional(),
    layout: z.string().optional(),
    plate: z.string().optional(),
    reply_frame_hex: z.string().optional(),
    reply: z
      .object({
        msg_id: z.string(),
        ack_serial: z.number().optional(),
        ack_id: z.string().optional(),
        result: z.number().optional(),
      })
      .optional(),
    direction: z.enum(['terminal_to_platform', 'platform_to_terminal']).optional(),
    body_fields: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type StatedPosition = z.infer<typeof position>;
export type Jt808Vector = z.infer<typeof vector>;

/** Packets of real terminals and of other programs' tests; empty where the data is not there. */
export const jt808Vectors: Jt808Vector[] = readVectors('jt808.jsonl', vector);

export const noVectors = 'the collected vectors (data/protocols/jt808.jsonl) are not on this machine';
