import { cardKey, driverCard } from '../../contract/sameKeys.ts';
import type { Database } from './database.ts';
import type { PositionRow } from './rows.ts';
import { knownVehicle, type VehicleKeys } from './vehicleIds.ts';

/**
 * Readers that hold a card name it in every message. Of each slot the first and the last moment are kept: in whatever
 * order the messages come, the rows are the same.
 */
const SLOT_MS = 300_000;

/** A card counts as read for so long, unless another one is read or the ignition is switched off. */
export const cardHoldsMs = 12 * 3_600_000;
/** One that was read with the ignition off waits so long for the engine to start. */
const STARTING_MS = 600_000;
/** Between two reads that are no further apart nobody has switched off and gone. */
const CONTINUOUS_MS = 60_000;

/** A message named a card, of `cardKey`; `''`: it was taken out. */
export interface CardRead {
  vehicle_id: string;
  time_ms: number;
  card: string;
}

/** What positions say of cards. */
export function readsOf(positions: readonly PositionRow[]): CardRead[] {
  return positions.flatMap(({ vehicle_id, time_ms, attributes }) => {
    const card = attributes[driverCard];
    return typeof card === 'string' ? [{ vehicle_id, time_ms, card: card === '' ? '' : cardKey(card) }] : [];
  });
}

export function writeCardReads(db: Database, reads: readonly CardRead[], numberOf: VehicleKeys): void {
  for (const { vehicle_id, time_ms, card } of reads) {
    db.run(
      `INSERT INTO card_reads (vehicle_key, slot, card, first_ms, last_ms) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET first_ms = min(first_ms, excluded.first_ms), last_ms = max(last_ms, excluded.last_ms)`,
      [numberOf(vehicle_id), slotOf(time_ms), card, time_ms, time_ms],
    );
  }
}

const slotOf = (ms: number) => Math.floor(ms / SLOT_MS);

export interface CardPeriod {
  from_ms: number;
  to_ms: number;
}

/** One read of a card, and when the ignition was switched off after it and before the next one; null: it was not. */
export interface CardMoment {
  time_ms: number;
  card: string;
  off_ms: number | null;
}

/** What is read of one vehicle and period, both ends included, in order of time; those that still hold at its start too. */
export function cardMoments(
  db: Database,
  { vehicle_ids, from_ms, to_ms }: CardPeriod & { vehicle_ids: readonly string[] },
): { vehicle_id: string; moments: CardMoment[] }[] {
  return vehicle_ids.flatMap((vehicle_id) => {
    const vehicle = knownVehicle(db, vehicle_id);
    if (vehicle === null) return [];
    const moments = momentsOf(db, vehicle, { from_ms: from_ms - cardHoldsMs, to_ms });
    return moments.length === 0 ? [] : [{ vehicle_id, moments }];
  });
}

function momentsOf(db: Database, vehicle: number, { from_ms, to_ms }: CardPeriod): CardMoment[] {
  const rows = db.cells<[card: string, first_ms: number, last_ms: number]>(
    'SELECT card, first_ms, last_ms FROM card_reads WHERE vehicle_key = ? AND slot >= ? AND slot <= ?',
    [vehicle, slotOf(from_ms), slotOf(to_ms)],
  );
  const reads = rows
    .flatMap(([card, first_ms, last_ms]) =>
      (first_ms === last_ms ? [first_ms] : [first_ms, last_ms]).map((time_ms) => ({ card, time_ms })),
    )
    .filter((it) => it.time_ms >= from_ms && it.time_ms <= to_ms)
    .sort((a, b) => a.time_ms - b.time_ms || (a.card < b.card ? -1 : 1));
  return reads.map((read, at) => {
    const next = reads[at + 1];
    const isSlot = next?.card === read.card && slotOf(next.time_ms) === slotOf(read.time_ms);
    const isBrief = next !== undefined && next.time_ms - read.time_ms <= CONTINUOUS_MS;
    const off_ms =
      read.card === '' || isSlot || isBrief
        ? null
        : switchedOff(
            db,
            vehicle,
            read.time_ms,
            Math.min(next?.time_ms ?? Infinity, read.time_ms + cardHoldsMs),
          );
    return { ...read, off_ms };
  });
}

/** The first message after a read that says that the ignition is off. */
function switchedOff(db: Database, vehicle: number, read_ms: number, before_ms: number): number | null {
  const [read] = db.cells<[ignition: number | null]>(
    'SELECT ignition FROM positions WHERE vehicle_key = ? AND time_ms = ?',
    [vehicle, read_ms],
  );
  const after_ms = read?.[0] === 1 ? read_ms : read_ms + STARTING_MS;
  const [off] = db.cells<[time_ms: number]>(
    `SELECT time_ms FROM positions WHERE vehicle_key = ? AND time_ms > ? AND time_ms < ? AND ignition = 0
      ORDER BY time_ms LIMIT 1`,
    [vehicle, after_ms, before_ms],
  );
  return off?.[0] ?? null;
}

/** The vehicles in which these cards, or any, were read in a period, both ends included. */
export function vehiclesOfCards(
  db: Database,
  { cards, from_ms, to_ms }: CardPeriod & { cards: readonly string[] | null },
): string[] {
  const slots = { from: slotOf(from_ms), to: slotOf(to_ms) };
  const rows =
    cards === null
      ? // By the vehicle, whose first row is enough: of all of them there may be millions.
        db.all<{ vehicle_id: string }>(
          `SELECT vehicle_id FROM vehicle_ids WHERE EXISTS (
            SELECT 1 FROM card_reads WHERE vehicle_key = vehicle_ids.vehicle_key AND slot >= :from AND slot <= :to
          )`,
          slots,
        )
      : db.all<{ vehicle_id: string }>(
          `SELECT vehicle_id FROM vehicle_ids WHERE vehicle_key IN (
            SELECT vehicle_key FROM card_reads
              WHERE card IN (SELECT value FROM json_each(:cards)) AND slot >= :from AND slot <= :to
          )`,
          { ...slots, cards: JSON.stringify(cards) },
        );
  return rows.map((row) => row.vehicle_id);
}

/** All slots that the period touches: of what is deleted, nothing is to be left. */
export function deleteCardReads(
  db: Database,
  { vehicle_key, from_ms, to_ms }: CardPeriod & { vehicle_key: number },
): void {
  db.run('DELETE FROM card_reads WHERE vehicle_key = ? AND slot >= ? AND slot <= ?', [
    vehicle_key,
    slotOf(from_ms),
    slotOf(to_ms - 1),
  ]);
}

/** Up to which slot lies what is older than a moment. */
export const slotBefore = slotOf;
