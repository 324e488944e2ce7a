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

/** The commands to vehicles' terminals: sent, being sent, and to be sent once they are online. */
export interface TerminalCommands {
  /** Ends what an earlier run has left half done, and begins to send. */
  start(): void;
  reach(vehicle: VehicleRecord): TerminalConnection;
  /** Newest first. */
  list(vehicleId: string, page: PageQuery): Promise<TerminalCommandRow[]>;
  /** Throws 404. */
  find(vehicleId: string, commandId: string): Promise<TerminalCommandRow>;
  /**
   * Throws 409 for an archived vehicle, and when too many commands wait for it or of this user; 400 for a text that
   * the protocol of the connected terminal cannot carry.
   */
  send(
    vehicle: VehicleRecord,
    wanted: NewTerminalCommand,
    by: { userId: string; once?: Once<TerminalCommandRow> | undefined },
  ): Promise<TerminalCommandRow>;
  /** Throws 404; 409 for one that does not wait any more. */
  cancel(vehicleId: string, commandId: string): Promise<TerminalCommandRow>;
  /** Lets go of a vehicle before its data is deleted. */
  forgetVehicle(vehicleId: string): Promise<void>;
  /** After the intake, whose end is that of what is on its way. */
  close(): Promise<void>;
}

export interface TerminalCommandsDeps extends Omit<CommandQueueDeps, 'ledger'> {
  store: Pick<Store, 'terminalCommands' | 'terminalCommandsById' | 'openTerminalCommands'>;
  acts: Pick<Acts, 'run'>;
  /** Called after each write. */
  onChange: (rows: readonly TerminalCommandRow[], written: Written) => void;
}

/** Takes up those that are stored and have no end. */
export async function loadTerminalCommands(deps: TerminalCommandsDeps): Promise<TerminalCommands> {
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
    start: () => queue.start(),

    reach(vehicle) {
      const link = linkOf(vehicle);
      return { protocol: link?.protocol ?? null, kinds: [...(link?.kinds ?? [])] };
    },

    list: (vehicle_id, page) => store.terminalCommands({ ...page, vehicle_id }),

    find,

    async send(vehicle, { kind, text, expires_in_s }, { userId, once }) {
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

    async cancel(vehicleId, commandId) {
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

    forgetVehicle: (vehicleId) => ledger.forget(vehicleId),

    async close() {
      await queue.close();
      await ledger.close();
    },
  };
}
