import { standardLimits, type DepotLimits, type IntakeLimits, type IntakeParts } from './intakeProtocol.ts';
import { createDoorWatch } from './doorWatch.ts';
import type { LastMessages, MessageRecord } from './lastMessages.ts';
import { createLineLimit, type LineLimit } from './lineLimit.ts';
import type { Listener } from './listener.ts';
import { createNewestConnections, type NewestConnections } from './newestConnections.ts';
import type { Reason, TurnedAway } from './turnedAway.ts';
import { createWorkRoom, type WorkRoom } from './workRoom.ts';

/** What all connections and datagrams of one door have in common. */
export interface DoorParts extends Omit<IntakeParts, 'limits' | 'watch'> {
  limits: Omit<IntakeLimits, keyof DepotLimits>;
  depotLimits: () => DepotLimits;
  record: MessageRecord;
  turnedAway: TurnedAway;
  work: WorkRoom;
  newest: NewestConnections;
  /** Of the lines on what was not taken in by a fault of this host: who can reach the door may know how to bring it about. */
  faultLines: LineLimit;
}

/** A door, and what it can tell of those who came by. */
export interface WatchedListener extends Listener {
  readonly messages: LastMessages;
  /** Connections that this side ended, and datagrams that it left alone, since the start. */
  turnedAway(): Readonly<Record<Reason, number>>;
}

/** @param listener where they come in; by TCP, when there is one for datagrams beside it */
export function watch(listener: Listener, { record, turnedAway }: DoorParts): WatchedListener {
  return { ...listener, messages: record, turnedAway: () => turnedAway.counts() };
}

export function createDoorParts(name: string, parts: IntakeParts): DoorParts {
  const { record, turnedAway } = parts.watch ?? createDoorWatch(name, parts);
  const limits = { ...standardLimits, ...parts.limits };
  return {
    ...parts,
    limits,
    depotLimits: parts.depotLimits ?? (() => limits),
    record,
    turnedAway,
    work: createWorkRoom(limits.reportsUnderWay),
    newest: createNewestConnections(),
    faultLines: createLineLimit(parts.clock),
  };
}
