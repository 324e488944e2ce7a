import { randomUUID } from 'node:crypto';
import type { NewTerminalCommand, TerminalConnection } from '../../contract/terminalCommands.ts';
import { ApiError, invalid, notFound } from '../../http/apiError.ts';
import { checkQuota } from '../../http/quotas.ts';
import type { Acts, Once } from '../../store/acts.ts';
import type { PageQuery, TerminalCommandRow, Written } from '../../store/telemetry/rows.ts';
import type { Store } from '../../store/operations.ts';
import type { VehicleRecord } from '../../vehicles/vehicleRecord.ts';
import { createCommandRepository } from './commandRepository.ts';
import { createCommandQueue, type CommandQueueDeps } from './commandQueue.ts';

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
      const { vehicle_id, terminal_id } = vehicle;
      const make = (others: readonly TerminalCommandRow[]): TerminalCommandRow => {
        if (vehicle.archived_at !== null) throw new ApiError('in_use', 'The vehicle is archived.');
        const fault = text === null ? null : (linkOf(vehicle)?.textFault(text) ?? null);
        if (fault !== null) throw invalid('text', fault);
        const waiting = (rows: readonly TerminalCommandRow[]) =>
          rows.filter((it) => it.status === 'queued').length;
        checkQuota('waiting_commands', waiting(others), 1);
        const own = ledger.open().filter((it) => it.created_by === userId);
        checkQuota('waiting_commands_of_user', waiting(own), 1);
        const now = clock.now();
        return {
          ...{ command_id: randomUUID(), vehicle_id, terminal_id, kind, text, status: 'queued' },
          ...{ protocol: null, response: null, error: null, created_by: userId },
          // They are sent in the order in which they were created, whatever the wall clock does.
          created_ms: Math.max(now, (others.at(-1)?.created_ms ?? 0) + 1),
          ...{ sent_ms: null, completed_ms: null, expires_ms: now + expires_in_s * 1_000 },
        };
      };
      try {
        return await ledger.add(vehicle_id, make, once);
      } finally {
        queue.look(vehicle_id);
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
      throw new ApiError(
        'in_use',
        isSent ? 'The command was sent already.' : 'The command has come to its end already.',
      );
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
