import { calledBy, read, write, type Side, type Tx } from './operation.ts';
import { endAdoption, pendingAdoption } from './telemetry/adopt.ts';
import { accessOf, writeAccess } from './telemetry/accessTable.ts';
import { changesAfter, lastSeq, writeChanges } from './telemetry/changesTable.ts';
import { depotCopy, entitiesAt, loadEntities, membershipsAt } from './telemetry/entityTables.ts';
import { events, writeEvents } from './telemetry/eventsTable.ts';
import { wholePage } from './telemetry/newestFirst.ts';
import {
  notifications,
  notificationsById,
  recentNotifications,
  writeNotifications,
} from './telemetry/notificationsTable.ts';
import {
  packPositions,
  pageByPage,
  positionsAt,
  trackPage,
  writePositions,
  type PackedPositions,
} from './telemetry/positionsTable.ts';
import { pruneSlice, purgeSlice } from './telemetry/prune.ts';
import { deleteSessions, idempotent, saveSessions, sessions } from './telemetry/requestTables.ts';
import type {
  Batch,
  ChangeTopic,
  NewChange,
  NotificationRow,
  SnoozeRow,
  TaskRow,
  TerminalCommandRow,
  Written,
} from './telemetry/rows.ts';
import {
  deliveriesOf,
  removeSnoozes,
  ruleVersion,
  saveDeliveries,
  snoozes,
  waitingDeliveries,
  writeRuleVersions,
  writeSnoozes,
} from './telemetry/rulesTables.ts';
import { runActs, type ActMessage, type DocumentIntent } from './telemetry/runActs.ts';
import { tasks, tasksById, tasksIn, writeTasks } from './telemetry/tasksTable.ts';
import {
  openTerminalCommands,
  terminalCommands,
  terminalCommandsById,
  writeTerminalCommands,
} from './telemetry/terminalCommandsTable.ts';
import {
  forgetUnknown,
  noteUnknown,
  rejected,
  unknownTerminals,
  vehicleStates,
  writeRejected,
  writeStates,
} from './telemetry/terminalsTables.ts';
import { vehicleNumbers } from './telemetry/vehicleIds.ts';

const tableOperations = {
  /** What one batch from the terminals leaves behind. */
  commit: calledBy(
    write(commitBatch),
    (call) => (batch: Batch) => call({ ...batch, positions: packPositions(batch.positions) }),
  ),
  /** The rows that stand at these keys. */
  positionsAt: read(positionsAt),
  /** Positions from `from_ms` to `to_ms`, both included, in order of time, in pages of a few thousand. */
  track: calledBy(read(trackPage), pageByPage),
  vehicleStates: read(vehicleStates),
  rejected: read(rejected),
  /** Deletes all data of a vehicle: positions, state, events, notifications. Its tasks are the video domain's. */
  purgeVehicle: calledBy(write(purgeSlice), (call) => async (vehicle_id: string) => {
    for (let next: string | null = vehicle_id; (await call(next)).more; next = null);
  }),

  /** Counts a message of each terminal; at most 1,000 terminals are kept, the one seen longest ago is dropped first. */
  noteUnknown: write(noteUnknown),
  forgetUnknown: write(forgetUnknown),
  unknownTerminals: read(unknownTerminals),

  events: calledBy(read(events), wholePage),
  notifications: calledBy(read(notifications), wholePage),
  notificationsById: read(notificationsById),
  /** Those whose last event is at or after this moment: what the rules engine needs at a start. */
  recentNotifications: read(recentNotifications),
  saveNotifications: write((tx, rows: NotificationRow[]): Written => {
    writeNotifications(tx.db, rows);
    return changed(tx, 'notification', rows, (row) => row.notification_id);
  }),

  /** A rule as it was; null where no notification was made by that version. */
  ruleVersion: read(ruleVersion),

  saveSnoozes: write((tx, rows: SnoozeRow[]): Written => {
    writeSnoozes(tx.db, rows);
    return changed(tx, 'snooze', rows, (row) => row.snooze_id);
  }),
  /** `seen_by` as in the log of changes. */
  deleteSnoozes: write((tx, gone: { snooze_id: string; seen_by: string[] }[]): Written => {
    const ids = gone.map((it) => it.snooze_id);
    removeSnoozes(tx.db, ids);
    return recorded(
      tx,
      gone.map(({ snooze_id, seen_by }) => ({ topic: 'snooze', resource_id: snooze_id, seen_by })),
    );
  }),
  snoozes: read(snoozes),

  saveDeliveries: write(saveDeliveries),
  /** Those that are neither sent nor given up, oldest first. */
  waitingDeliveries: read(waitingDeliveries),
  /** Those of a notification. */
  deliveriesOf: read(deliveriesOf),

  saveTasks: write((tx, rows: TaskRow[]): Written => {
    writeTasks(tx.db, rows);
    return changed(tx, 'task', rows, (row) => row.task_id);
  }),
  tasks: calledBy(read(tasks), wholePage),
  tasksById: read(tasksById),
  /** Tasks in one of these statuses, oldest first. */
  tasksIn: read(tasksIn),

  saveAccess: write(writeAccess),
  /** The access log of a task's video, newest first; the newest 1,000. */
  accessOf: read(accessOf),

  saveTerminalCommands: write((tx, rows: TerminalCommandRow[]): Written => {
    writeTerminalCommands(tx.db, rows);
    return changed(tx, 'command', rows, (row) => row.command_id);
  }),
  /** The commands to a vehicle's terminal, newest first. */
  terminalCommands: read(terminalCommands),
  terminalCommandsById: read(terminalCommandsById),
  /** Those without an end, of all vehicles, oldest first. */
  openTerminalCommands: read(openTerminalCommands),

  saveSessions: write(saveSessions),
  deleteSessions: write(deleteSessions),
  sessions: read(sessions),

  idempotent: read(idempotent),

  /** Adds to the log of changes; for resources that live in documents. */
  recordChanges: write(recorded),
  /** Changes after `seq` in order; null when some of them are no longer known. */
  changesAfter: read(changesAfter),
  lastSeq: read(lastSeq),

  /** Whole documents, sealed, whose files may not hold them yet. */
  documentIntents: read((db) =>
    db
      .all<DocumentIntent>('SELECT document, version, sealed FROM document_intents')
      .map((row) => ({ ...row })),
  ),
  /** The file of a document holds this version. */
  endDocumentIntent: write(({ db }, { document, version }: Omit<DocumentIntent, 'sealed'>) => {
    db.run('DELETE FROM document_intents WHERE document = ? AND version <= ?', [document, version]);
  }),

  loadEntities: read(loadEntities),
  /** What `depot-copy.json` holds. */
  depotCopy: read(depotCopy),
  /** All vehicles or geofences as they were at a moment. */
  entitiesAt: read(entitiesAt),
  membershipsAt: read(membershipsAt),

  /**
   * Deletes one slice of what was received before these moments; call again while `more` is true, so that other writes
   * come in between.
   */
  prune: write(pruneSlice),
} as const;

/** All that the store does: what the workers run, the store's methods and their types are made of this table. */
export const operations = {
  ...tableOperations,
  /** Stores acts that were made on top of one another, in order; see acts.ts, by which alone it is called. */
  act: write(({ db }, acts: ActMessage[]) => runActs(db, acts, tableOperations)),
  /** What is to be done with documents that the database has adopted: `done`, or null where it has adopted none. */
  pendingAdoption: read(pendingAdoption),
  endAdoption: write(endAdoption),
} as const;

type Table = typeof tableOperations;
/** Operations that may be parts of an act. */
export type ActWrites = Omit<
  {
    [Name in keyof Table as Table[Name]['side'] extends 'write' ? Name : never]: Parameters<
      Table[Name]['run']
    >[1];
  },
  'commit' | 'purgeVehicle'
>;
export type ActResults = { [Name in keyof ActWrites]: ReturnType<Table[Name]['run']> };

type Methods = { [Name in keyof typeof operations]: ReturnType<(typeof operations)[Name]['method']> };

/**
 * All that grows with time. A write resolves after its commit is on the disk; writes run in the order of their calls.
 * Errors: `DiskFull` when the disk is full, `StoreFailed` for everything else; after either nothing of that call is
 * stored. A read may be refused with WorkFailed `queue_full`.
 */
export type Store = Methods & {
  /** Names this database; another one (a restored copy counts) has another name. */
  readonly epoch: string;
  /** Bytes on disk, rows written and commits since the start. */
  stats(): Promise<{ bytes: number; positions: number; commits: number }>;
  close(): Promise<void>;
};

/** @param call has a worker, or whoever runs operations, run one of them: it resolves to that one's result */
export function methodsOf(call: (side: Side, op: string, args: unknown) => Promise<unknown>): Methods {
  const methods = Object.entries(operations).map(([op, { side, method }]) => [
    op,
    method((args: unknown) => call(side, op, args) as Promise<never>),
  ]);
  return Object.fromEntries(methods) as Methods;
}

function commitBatch(tx: Tx, batch: Omit<Batch, 'positions'> & { positions: PackedPositions }): Written {
  const { db } = tx;
  const numberOf = vehicleNumbers(db);
  writePositions(db, batch.positions, numberOf);
  writeEvents(db, batch.events);
  writeNotifications(db, batch.notifications);
  writeRuleVersions(db, batch.rules);
  saveDeliveries(tx, batch.deliveries);
  writeTasks(db, batch.tasks);
  writeStates(db, batch.states, numberOf);
  writeRejected(db, batch.rejected);
  return recorded(tx, [
    ...changesOf('event', batch.events, (row) => row.event_id),
    ...changesOf('notification', batch.notifications, (row) => row.notification_id),
    ...changesOf('task', batch.tasks, (row) => row.task_id),
  ]);
}

function changed<Row>(tx: Tx, topic: ChangeTopic, rows: Row[], idOf: (row: Row) => string): Written {
  return recorded(tx, changesOf(topic, rows, idOf));
}

function recorded({ db, at_ms }: Tx, changes: NewChange[]): Written {
  return { changes: writeChanges(db, changes, at_ms) };
}

function changesOf<Row>(topic: ChangeTopic, rows: Row[], idOf: (row: Row) => string): NewChange[] {
  return rows.map((row) => ({ topic, resource_id: idOf(row), seen_by: null }));
}
