import { causeOf } from '../../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import type {
  BulkCommandResult,
  NewTerminalCommand,
  TerminalConnection,
} from '../../contract/terminalCommands.ts';
import { ApiError, invalid, notFound } from '../../http/apiError.ts';
import { bulkOf } from '../../http/bulk.ts';
import { checkQuota } from '../../http/quotas.ts';
import type { Acts, Once } from '../../store/acts.ts';
import type { PageQuery, TerminalCommandRow, Written } from '../../store/telemetry/rows.ts';
import type { Store } from '../../store/operations.ts';
import type { VehicleRecord } from '../../vehicles/vehicleRecord.ts';
import { createCommandRepository } from './commandRepository.ts';
import { createCommandQueue, faultOf, type CommandQueueDeps } from './commandQueue.ts';

export interface TerminalCommandsDeps extends Omit<CommandQueueDeps, 'ledger'> {
  store: Pick<Store, 'terminalCommands' | 'terminalCommandsById' | 'openTerminalCommands'>;
  acts: Pick<Acts, 'run'>;
  /** Called after each write. */
  onChange: (rows: readonly TerminalCommandRow[], written: Written) => void;
}

/** The commands to vehicles' terminals: sent, being sent, and to be sent once they are online. */
export type TerminalCommands = Awaited<ReturnType<typeof loadTerminalCommands>>;

/** Takes up those that are stored and have no end. */
export async function loadTerminalCommands(deps: TerminalCommandsDeps) {
  const { store, acts, links, clock } = deps;
  const ledger = createCommandRepository({
    store,
    acts,
    rows: await store.openTerminalCommands(),
    announce: deps.onChange,
  });
  const queue = createCommandQueue({ ...deps, ledger });

  function linkOf({ archived_at, terminal_id }: VehicleRecord) {
    // The terminal of an archived one may be another vehicle's by now.
    const link = archived_at === null ? links.find(terminal_id) : null;
    return link?.isOpen() === true ? link : null;
  }

  async function find(vehicleId: string, commandId: string): Promise<TerminalCommandRow> {
    const [row] = await store.terminalCommandsById([commandId]);
    if (row?.vehicle_id !== vehicleId) throw notFound('command');
    return row;
  }

  const waiting = (rows: readonly TerminalCommandRow[]) => rows.filter((it) => it.status === 'queued').length;
  const waitingOf = (userId: string) => waiting(ledger.open().filter((it) => it.created_by === userId));

  /** @param ofUser how many commands of this user wait. Throws 409 */
  function queuedRow(
    { vehicle_id, terminal_id, archived_at }: VehicleRecord,
    { kind, text, expires_in_s }: NewTerminalCommand,
    userId: string,
    ofUser: number,
  ): TerminalCommandRow {
    if (archived_at !== null) throw new ApiError('in_use', causeOf('vehicle.archived'));
    const others = ledger.openOf(vehicle_id);
    checkQuota('waiting_commands', waiting(others), 1);
    checkQuota('waiting_commands_of_user', ofUser, 1);
    const now = clock.now();
    return {
      ...{ command_id: randomUUID(), vehicle_id, terminal_id, kind, text, status: 'queued' },
      ...{ protocol: null, response: null, error: null, created_by: userId },
      // They are sent in the order in which they were created, whatever the wall clock does.
      created_ms: Math.max(now, (others.at(-1)?.created_ms ?? 0) + 1),
      ...{ sent_ms: null, completed_ms: null, expires_ms: now + expires_in_s * 1_000 },
    };
  }

  return {
    /** Ends what an earlier run has left half done, and begins to send. */
    start: (): void => queue.start(),

    reach(vehicle: VehicleRecord): TerminalConnection {
      const link = linkOf(vehicle);
      return { protocol: link?.protocol ?? null, kinds: [...(link?.kinds ?? [])] };
    },

    /** Newest first. */
    list: (vehicle_id: string, page: PageQuery): Promise<TerminalCommandRow[]> =>
      store.terminalCommands({ ...page, vehicle_id }),

    /** Throws 404. */
    find,

    /**
     * Throws 409 for an archived vehicle, and when too many commands wait for it or of this user; 400 for a text that
     * the protocol of the connected terminal cannot carry.
     */
    async send(
      vehicle: VehicleRecord,
      { kind, text, expires_in_s }: NewTerminalCommand,
      { userId, once }: { userId: string; once?: Once<TerminalCommandRow> | undefined },
    ): Promise<TerminalCommandRow> {
      const { vehicle_id } = vehicle;
      const fault = text === null ? null : (linkOf(vehicle)?.textFault(text) ?? null);
      if (fault !== null) throw invalid('text', fault);
      const make = () => {
        const row = queuedRow(vehicle, { kind, text, expires_in_s }, userId, waitingOf(userId));
        return { rows: [row], result: row };
      };
      try {
        return await ledger.add(make, once);
      } finally {
        queue.look(vehicle_id);
      }
    },

    /**
     * The same for many vehicles, in one transaction; `find` throws 404. A terminal that is connected and does not take the
     * command is refused, where one command alone would be stored and fail.
     *
     * @param options.dryRun says what would become of each, and sends nothing
     */
    async sendMany(
      vehicleIds: readonly string[],
      command: NewTerminalCommand,
      find: (vehicleId: string) => VehicleRecord,
      {
        userId,
        once,
        dryRun,
      }: { userId: string; once?: Once<BulkCommandResult> | undefined; dryRun: boolean },
    ): Promise<BulkCommandResult> {
      let rows: TerminalCommandRow[] = [];
      const make = () => {
        rows = [];
        const offline: string[] = [];
        const ofUser = waitingOf(userId);
        const result = bulkOf(vehicleIds, (id) => {
          const vehicle = find(id);
          const link = linkOf(vehicle);
          const fault = link === null ? null : faultOf(command, link);
          if (fault !== null) throw new ApiError('terminal_refused', fault);
          rows.push(queuedRow(vehicle, command, userId, ofUser + rows.length));
          if (link === null) offline.push(id);
        });
        return { rows, result: { ...result, waiting: offline } };
      };
      if (dryRun) return make().result;
      try {
        return await ledger.add(make, once);
      } finally {
        for (const { vehicle_id } of rows) queue.look(vehicle_id);
      }
    },

    /** Throws 404; 409 for one that does not wait any more. */
    async cancel(vehicleId: string, commandId: string): Promise<TerminalCommandRow> {
      const known = await find(vehicleId, commandId);
      const cancelled = await ledger.change(commandId, (row) =>
        row.status === 'queued' ? { ...row, status: 'cancelled', completed_ms: clock.now() } : null,
      );
      if (cancelled !== null) return cancelled;
      const isSent = known.completed_ms === null;
      throw new ApiError('in_use', isSent ? causeOf('command.sent') : causeOf('command.ended'));
    },

    /** Lets go of a vehicle before its data is deleted. */
    forgetVehicle: (vehicleId: string): Promise<void> => ledger.forget(vehicleId),

    /** After the intake, whose end is that of what is on its way. */
    async close(): Promise<void> {
      await queue.close();
      await ledger.close();
    },
  };
}
