import { calledBy, read, write, type Side, type Tx } from './operation.ts';
import { auditLog, logExport } from './telemetry/auditTable.ts';
import { endAdoption, pendingAdoption } from './telemetry/adopt.ts';
import {
  accessOf,
  clipSpans,
  writeAccess,
  tasks,
  tasksById,
  tasksIn,
  writeTasks,
} from './telemetry/tasksTable.ts';
import {
  cardMoments,
  readsOf,
  vehiclesOfCards,
  writeCardReads,
  type CardRead,
} from './telemetry/cardReads.ts';
import { changesAfter, lastSeq, logged, recordChanges } from './telemetry/changesTable.ts';
import { depotCopy, entitiesAt, loadEntities, membershipsAt } from './telemetry/entityTables.ts';
import { events, writeEvents } from './telemetry/eventsTable.ts';
import {
  escalationOf,
  moveEscalations,
  openEscalations,
  writeEscalations,
} from './telemetry/escalationsTable.ts';
import {
  incidentEntries,
  incidentNames,
  incidents,
  incidentsById,
  incidentsNotDescribed,
  openIncidentClips,
  snapshotIds,
} from './telemetry/incidentsTable.ts';
import {
  archiveIncidentsOf,
  forgetDriver,
  openIncidentCounts,
  regroupIncidents,
} from './telemetry/incidentErasure.ts';
import {
  noteAcknowledged,
  notingClips,
  openIncidents,
  releaseIncidents,
} from './telemetry/incidentFollowUps.ts';
import { changeIncident, createIncident } from './telemetry/incidentWrites.ts';
import { keepDays, type NewDays } from './telemetry/dayRecordsTable.ts';
import { boundedPage, wholePage } from './telemetry/newestFirst.ts';
import {
  notifications,
  notificationsById,
  openQuiet,
  openSilencedBy,
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
import { forgetVehicle, pruneSlice, sweepPurged } from './telemetry/prune.ts';
import {
  deleteSessions,
  endedSessions,
  idempotent,
  saveSessions,
  saveTokenUses,
  sessions,
  tokenUses,
} from './telemetry/requestTables.ts';
import type {
  Batch,
  ChangeRow,
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
import {
  openTerminalCommands,
  terminalCommands,
  terminalCommandsById,
  writeTerminalCommands,
  forgetUnknown,
  noteUnknown,
  rejected,
  unknownTerminals,
  vehicleStates,
  writeRejected,
  writeStates,
} from './telemetry/terminalsTables.ts';
import {
  countVehicleData,
  deleteVehicleData,
  logTrackImport,
  logVehicleDeletion,
} from './telemetry/vehicleData.ts';
import { saveShiftRecord, shiftFacts, shiftRecord } from './telemetry/shiftsTable.ts';
import { vehicleNumbers } from './telemetry/vehicleIds.ts';

const tableOperations = {
  /** What one batch from the terminals leaves behind. */
  commit: calledBy(
    write(commitBatch),
    (call) => (batch: Batch) =>
      call({ ...batch, positions: packPositions(batch.positions), reads: readsOf(batch.positions) }),
  ),
  /** The rows that stand at these keys. */
  positionsAt: read(positionsAt),
  /** Positions from `from_ms` to `to_ms`, both included, in order of time, in pages of a few thousand. */
  track: calledBy(read(trackPage), pageByPage),
  /** Of each vehicle in which a card was read, what `drivesOf` needs; of some vehicles and a month at a time. */
  cardMoments: read(cardMoments),
  vehiclesOfCards: read(vehiclesOfCards),
  /** Keeps what a report has worked out of a vehicle's days, unless its positions have changed since. */
  keepDays: write((tx, days: NewDays) => keepDays(tx, days)),
  vehicleStates: read(vehicleStates),
  rejected: read(rejected),
  /**
   * Takes all data of a vehicle away: positions, state, events, notifications, incidents, what it was before. Its tasks are the
   * video domain's. `sweepPurged` deletes its positions from the disk, as pruning would.
   */
  forgetVehicle: write(forgetVehicle),
  countVehicleData: read(countVehicleData),
  /** Deletes one slice of a vehicle's data of a period; call again while `more` is true. */
  deleteVehicleData: write(deleteVehicleData),
  logVehicleDeletion: write(logVehicleDeletion),
  logTrackImport: write(logTrackImport),
  sweepPurged: calledBy(
    write(({ db }) => sweepPurged(db)),
    (call) => async () => {
      while ((await call()).more);
    },
  ),

  /** Counts a message of each terminal; at most 1,000 terminals are kept, the one seen longest ago is dropped first. */
  noteUnknown: write(noteUnknown),
  forgetUnknown: write(forgetUnknown),
  unknownTerminals: read(unknownTerminals),

  events: calledBy(read(events), wholePage),
  /** For callers that read on from `next`. */
  eventsPage: calledBy(read(events), boundedPage),
  notifications: calledBy(read(notifications), wholePage),
  notificationsPage: calledBy(read(notifications), boundedPage),
  notificationsById: read(notificationsById),
  openQuiet: read(openQuiet),
  /** Those whose last event is at or after this moment: what the rules engine needs at a start. */
  recentNotifications: read(recentNotifications),
  saveNotifications: write((tx, rows: NotificationRow[]): Written => {
    const changes = logged(tx, 'notification', idsOf(rows, 'notification_id'), () =>
      writeNotifications(tx.db, rows),
    );
    const followed = noteAcknowledged(tx, rows);
    return { changes: [...changes, ...followed.changes], incidents: followed.incidents };
  }),

  /** A page of incidents, newest first. */
  incidents: calledBy(read(incidents), wholePage),
  incidentsById: read(incidentsById),
  incidentEntries: read(incidentEntries),
  incidentNames: read(incidentNames),
  openIncidentCounts: read(openIncidentCounts),
  archiveIncidentsOf: write(archiveIncidentsOf),
  regroupIncidents: write(regroupIncidents),
  releaseIncidents: write(releaseIncidents),
  /** Takes a driver who is deleted out of incidents. */
  forgetDriver: write(forgetDriver),
  openIncidentClips: read(openIncidentClips),
  snapshotIds: read(snapshotIds),
  incidentsNotDescribed: read(incidentsNotDescribed),
  createIncident: write(createIncident),
  changeIncident: write(changeIncident),

  /** A rule as it was; null where no notification was made by that version. */
  ruleVersion: read(ruleVersion),

  /**
   * Snoozes that begin and end, `visible_to` as in the log of changes. The open notifications that these silence or
   * silenced are logged too, so that all who look on see them move; they are returned.
   */
  changeSnoozes: write(
    (tx, { begun, ended }: { begun: SnoozeRow[]; ended: (SnoozeRow & { visible_to: string[] })[] }) => {
      const changes = logged(
        tx,
        'snooze',
        [
          ...idsOf(begun, 'snooze_id'),
          ...ended.map(({ snooze_id, visible_to }) => ({ resource_id: snooze_id, visible_to })),
        ],
        () => {
          removeSnoozes(
            tx.db,
            ended.map((it) => it.snooze_id),
          );
          writeSnoozes(tx.db, begun);
        },
      );
      const notifications = openSilencedBy(tx.db, [...begun, ...ended]);
      const moved = changesOf('notification', notifications, (row) => row.notification_id);
      return { changes: [...changes, ...recordChanges(tx, moved)], notifications };
    },
  ),
  snoozes: read(snoozes),

  saveDeliveries: write(saveDeliveries),
  /** Those that are neither sent nor given up, oldest first. */
  waitingDeliveries: read(waitingDeliveries),
  /** Those of a notification. */
  deliveriesOf: read(deliveriesOf),

  /** Escalations of open notifications. */
  openEscalations: read(openEscalations),
  escalationOf: read(escalationOf),
  moveEscalations: write(moveEscalations),

  saveTasks: write((tx, rows: TaskRow[]): Written => {
    let changes: ChangeRow[] = [];
    const followed = notingClips(tx, rows, () => {
      changes = logged(tx, 'task', idsOf(rows, 'task_id'), () => writeTasks(tx.db, rows));
    });
    return { changes: [...changes, ...followed.changes], incidents: followed.incidents };
  }),
  tasks: calledBy(read(tasks), wholePage),
  tasksById: read(tasksById),
  /** Of the tasks of a time: their vehicles, and from when to when they all ask for. */
  clipSpans: read(clipSpans),
  /** How many tasks there are in each status. */
  taskCounts: read((db) =>
    db
      .all<{ status: TaskRow['status']; count: number }>(
        'SELECT status, COUNT(*) AS count FROM video_tasks INDEXED BY tasks_by_status GROUP BY status',
      )
      .map((row) => ({ ...row })),
  ),
  /** Tasks in one of these statuses, oldest first. */
  tasksIn: read(tasksIn),

  saveAccess: write(writeAccess),
  /** The access log of a task's video, newest first; the newest 1,000. */
  accessOf: read(accessOf),

  /** What is in the report of a shift, of all vehicles or of some; bounded. */
  shiftFacts: read(shiftFacts),
  /** The facts of a shift as they were when it was handed over or ended, packed; the earlier ones are replaced. */
  saveShiftRecord: write(saveShiftRecord),
  shiftRecord: read(shiftRecord),

  saveTerminalCommands: write((tx, rows: TerminalCommandRow[]): Written => ({
    changes: logged(tx, 'command', idsOf(rows, 'command_id'), () => writeTerminalCommands(tx.db, rows)),
  })),
  /** The commands to a vehicle's terminal, newest first. */
  terminalCommands: read(terminalCommands),
  terminalCommandsById: read(terminalCommandsById),
  /** Those without an end, of all vehicles, oldest first. */
  openTerminalCommands: read(openTerminalCommands),

  saveSessions: write(saveSessions),
  deleteSessions: write(deleteSessions),
  sessions: read(sessions),
  /** Of each user the last sign of life of sessions that have ended. */
  endedSessions: read(endedSessions),

  saveTokenUses: write(saveTokenUses),
  tokenUses: read(tokenUses),

  idempotent: read(idempotent),

  /** Puts changes into the log that no act made. */
  recordChanges: write((tx, changes: NewChange[]): Written => ({ changes: recordChanges(tx, changes) })),
  /** Changes after `seq` in order; null when some of them are no longer known. */
  changesAfter: read(changesAfter),
  /** What users did, newest first. */
  auditLog: calledBy(read(auditLog), wholePage),
  logExport: write(logExport),
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

  /** Writes one row, and so learns whether anything can be written. */
  probe: write(({ db, at_ms }) => {
    db.run(
      "INSERT INTO meta (name, value) VALUES ('probed_ms', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [String(at_ms)],
    );
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
  'commit' | 'sweepPurged'
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

function commitBatch(
  tx: Tx,
  batch: Omit<Batch, 'positions'> & { positions: PackedPositions; reads: CardRead[] },
): Written {
  const { db } = tx;
  const numberOf = vehicleNumbers(db);
  writePositions(db, batch.positions, numberOf);
  writeCardReads(db, batch.reads, numberOf);
  writeEvents(db, batch.events);
  writeNotifications(db, batch.notifications);
  writeRuleVersions(db, batch.rules);
  saveDeliveries(tx, batch.deliveries);
  writeEscalations(db, batch.escalations);
  const ofClips = notingClips(tx, batch.tasks, () => writeTasks(db, batch.tasks));
  const ofAlarms = openIncidents(tx, batch.openings);
  writeStates(db, batch.states, numberOf);
  writeRejected(db, batch.rejected);
  const changes = recordChanges(tx, [
    ...changesOf('event', batch.events, (row) => row.event_id),
    ...changesOf('notification', batch.notifications, (row) => row.notification_id),
    ...changesOf('task', batch.tasks, (row) => row.task_id),
  ]);
  // Written in their order, so that what comes last has what is newest of an incident.
  return {
    changes: [...ofClips.changes, ...ofAlarms.changes, ...changes],
    incidents: [...ofClips.incidents, ...ofAlarms.incidents],
  };
}

function idsOf<Id extends string>(rows: readonly Record<Id, string>[], id: Id) {
  return rows.map((row) => ({ resource_id: row[id], visible_to: null }));
}

function changesOf<Row>(topic: ChangeTopic, rows: Row[], idOf: (row: Row) => string): NewChange[] {
  return rows.map((row) => ({ topic, resource_id: idOf(row), visible_to: null }));
}
