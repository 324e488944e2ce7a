import { writeAccess } from './accessTable.ts';
import { writeChanges } from './changesTable.ts';
import type { Database } from './database.ts';
import { writeEvents } from './eventsTable.ts';
import { writeNotifications } from './notificationsTable.ts';
import type { PackedPositions } from './packedPositions.ts';
import { writePositions } from './positionsTable.ts';
import { pruneSlice, purgeVehicle, sweepPurged } from './prune.ts';
import { deleteSessions, saveIdempotent, saveSessions, trimIdempotent } from './requestTables.ts';
import type {
  ChangeTopic,
  NewChange,
  NotificationRow,
  SnoozeRow,
  TaskRow,
  TerminalCommandRow,
} from './rows.ts';
import { removeSnoozes, saveDeliveries, writeRuleVersions, writeSnoozes } from './rulesTables.ts';
import { writeTasks } from './tasksTable.ts';
import type { Batch, Written } from './telemetryStore.ts';
import { writeTerminalCommands } from './terminalCommandsTable.ts';
import { forgetUnknown, noteUnknown, writeRefused, writeStates } from './terminalsTables.ts';
import { vehicleNumbers } from './vehicleIds.ts';

interface PackedBatch extends Omit<Batch, 'positions'> {
  positions: PackedPositions;
}

/** What the writer does; each call runs whole or not at all. */
export const writeOps = {
  commit(db: Database, { batch, at_ms }: { batch: PackedBatch; at_ms: number }): Written {
    const numberOf = vehicleNumbers(db);
    writePositions(db, batch.positions, numberOf);
    writeEvents(db, batch.events);
    writeNotifications(db, batch.notifications);
    writeRuleVersions(db, batch.rules);
    saveDeliveries(db, batch.deliveries);
    writeTasks(db, batch.tasks);
    writeStates(db, batch.states, numberOf);
    writeRefused(db, batch.refused);
    const changes = [
      ...changesOf('event', batch.events, (row) => row.event_id),
      ...changesOf('notification', batch.notifications, (row) => row.notification_id),
      ...changesOf('task', batch.tasks, (row) => row.task_id),
    ];
    return { changes: writeChanges(db, changes, at_ms) };
  },

  saveNotifications(db: Database, { rows, at_ms }: { rows: NotificationRow[]; at_ms: number }): Written {
    writeNotifications(db, rows);
    const changes = changesOf('notification', rows, (row) => row.notification_id);
    return { changes: writeChanges(db, changes, at_ms) };
  },

  saveSnoozes(db: Database, { rows, at_ms }: { rows: SnoozeRow[]; at_ms: number }): Written {
    writeSnoozes(db, rows);
    const changes = changesOf('snooze', rows, (row) => row.snooze_id);
    return { changes: writeChanges(db, changes, at_ms) };
  },

  deleteSnoozes(
    db: Database,
    { snoozes, at_ms }: { snoozes: { snooze_id: string; seen_by: string[] }[]; at_ms: number },
  ): Written {
    removeSnoozes(
      db,
      snoozes.map((it) => it.snooze_id),
    );
    const changes = snoozes.map(({ snooze_id, seen_by }): NewChange => ({
      topic: 'snooze',
      resource_id: snooze_id,
      seen_by,
    }));
    return { changes: writeChanges(db, changes, at_ms) };
  },

  saveDeliveries,

  saveTasks(db: Database, { rows, at_ms }: { rows: TaskRow[]; at_ms: number }): Written {
    writeTasks(db, rows);
    return {
      changes: writeChanges(
        db,
        changesOf('task', rows, (row) => row.task_id),
        at_ms,
      ),
    };
  },

  saveAccess: writeAccess,

  saveTerminalCommands(
    db: Database,
    { rows, at_ms }: { rows: TerminalCommandRow[]; at_ms: number },
  ): Written {
    writeTerminalCommands(db, rows);
    const changes = changesOf('command', rows, (row) => row.command_id);
    return { changes: writeChanges(db, changes, at_ms) };
  },

  recordChanges(db: Database, { changes, at_ms }: { changes: NewChange[]; at_ms: number }): Written {
    return { changes: writeChanges(db, changes, at_ms) };
  },

  noteUnknown,
  forgetUnknown,
  saveSessions,
  deleteSessions,
  saveIdempotent,
  trimIdempotent,
  purgeVehicle,
  sweepPurged: (db: Database, _: null) => sweepPurged(db),
  prune: pruneSlice,
};

function changesOf<Row>(topic: ChangeTopic, rows: Row[], idOf: (row: Row) => string): NewChange[] {
  return rows.map((row) => ({ topic, resource_id: idOf(row), seen_by: null }));
}
