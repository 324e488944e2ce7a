import { accessOf } from './accessTable.ts';
import { changesAfter, lastSeq } from './changesTable.ts';
import type { Database } from './database.ts';
import { events } from './eventsTable.ts';
import { notifications, notificationsById, recentNotifications } from './notificationsTable.ts';
import { positionsAt, trackPage } from './positionsTable.ts';
import { idempotent, sessions } from './requestTables.ts';
import { deliveriesOf, ruleVersion, snoozes, waitingDeliveries } from './rulesTables.ts';
import { tasks, tasksById, tasksIn } from './tasksTable.ts';
import { openTerminalCommands, terminalCommands, terminalCommandsById } from './terminalCommandsTable.ts';
import { refused, unknownTerminals, vehicleStates } from './terminalsTables.ts';

/** What the reader answers. Each is one short statement or a few: a long one would hold up the writer's checkpoints. */
export const readOps = {
  positionsAt,
  trackPage,
  events,
  notifications,
  notificationsById,
  recentNotifications,
  tasks,
  tasksById,
  tasksIn,
  accessOf,
  terminalCommands,
  terminalCommandsById,
  idempotent,
  ruleVersion,
  deliveriesOf,
  changesAfter,
  refused,
  vehicleStates: (db: Database, _: null) => vehicleStates(db),
  unknownTerminals: (db: Database, _: null) => unknownTerminals(db),
  snoozes: (db: Database, _: null) => snoozes(db),
  waitingDeliveries: (db: Database, _: null) => waitingDeliveries(db),
  openTerminalCommands: (db: Database, _: null) => openTerminalCommands(db),
  sessions: (db: Database, _: null) => sessions(db),
  lastSeq: (db: Database, _: null) => lastSeq(db),
};
