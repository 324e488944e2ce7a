import PQueue from 'p-queue';
import type { TerminalCommandRow, Written } from '../../store/telemetry/rows.ts';
import type { Store } from '../../store/operations.ts';

/** What a command is to become, as it stands now; null or the same: it stays. May throw: then nothing is stored. */
export type Decide = (row: TerminalCommandRow) => TerminalCommandRow | null;

/**
 * The book of all commands: those without an end in memory, all of them in the telemetry store. Changes run one after
 * the other, and each decides from what the one before has stored.
 */
export interface CommandRepository {
  /** Without an end, oldest first. */
  open(): readonly TerminalCommandRow[];
  /** The same of one vehicle. */
  openOf(vehicleId: string): readonly TerminalCommandRow[];
  /**
   * Adds what is made of the vehicle's open commands, oldest first; `make` may throw. One of this ID that is there
   * already is answered as it stands, whether it has ended or not. @throws {DiskFull}, {StoreFailed}
   */
  add(
    key: Pick<TerminalCommandRow, 'vehicle_id' | 'command_id'>,
    make: (others: readonly TerminalCommandRow[]) => TerminalCommandRow,
  ): Promise<TerminalCommandRow>;
  /**
   * Changes a command, unless it has come to its end meanwhile; answers it when it changed.
   * @throws {DiskFull}, {StoreFailed}, and what `decide` throws
   */
  change(commandId: string, decide: Decide): Promise<TerminalCommandRow | null>;
  /** Lets go of a vehicle, whose rows are about to be deleted: none of them is written again. */
  forget(vehicleId: string): Promise<void>;
  /** Waits for what is under way; later changes reject. */
  close(): Promise<void>;
}

export function createCommandRepository(deps: {
  store: Pick<Store, 'saveTerminalCommands' | 'terminalCommandsById'>;
  /** Without an end, oldest first. */
  rows: readonly TerminalCommandRow[];
  announce: (rows: readonly TerminalCommandRow[], written: Written) => void;
}): CommandRepository {
  const vehicles = new Map<string, Map<string, TerminalCommandRow>>();
  const vehicleOf = new Map<string, string>();
  const queue = new PQueue({ concurrency: 1 });
  let isClosed = false;
  for (const row of deps.rows) note(row);

  function note(row: TerminalCommandRow): void {
    const { command_id, vehicle_id } = row;
    const own = vehicles.get(vehicle_id) ?? new Map<string, TerminalCommandRow>();
    if (row.completed_ms === null) {
      // One that is there already keeps its place.
      vehicles.set(vehicle_id, own.set(command_id, row));
      vehicleOf.set(command_id, vehicle_id);
      return;
    }
    own.delete(command_id);
    vehicleOf.delete(command_id);
    if (own.size === 0) vehicles.delete(vehicle_id);
  }

  function runSequentially<T>(act: () => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(new Error('the commands are closed'));
    return queue.add(act);
  }

  async function write(row: TerminalCommandRow): Promise<TerminalCommandRow> {
    const written = await deps.store.saveTerminalCommands([row]);
    note(row);
    deps.announce([row], written);
    return row;
  }

  /** One whose writing was said to have failed may be in the store all the same, and is then to be sent. */
  async function known(commandId: string): Promise<TerminalCommandRow | null> {
    const open = vehicles.get(vehicleOf.get(commandId) ?? '')?.get(commandId);
    if (open !== undefined) return open;
    const [stored] = await deps.store.terminalCommandsById([commandId]);
    if (stored === undefined) return null;
    note(stored);
    return stored;
  }

  const openOf = (vehicleId: string) => [...(vehicles.get(vehicleId)?.values() ?? [])];

  return {
    open: () => [...vehicles.values()].flatMap((own) => [...own.values()]),
    openOf,
    add: ({ vehicle_id, command_id }, make) =>
      runSequentially(async () => (await known(command_id)) ?? write(make(openOf(vehicle_id)))),
    change: (commandId, decide) =>
      runSequentially(async () => {
        const row = vehicles.get(vehicleOf.get(commandId) ?? '')?.get(commandId);
        const next = row === undefined ? null : decide(row);
        return next === null || next === row ? null : write(next);
      }),
    forget: (vehicleId) =>
      runSequentially(() => {
        for (const id of vehicles.get(vehicleId)?.keys() ?? []) vehicleOf.delete(id);
        vehicles.delete(vehicleId);
        return Promise.resolve();
      }),
    async close() {
      isClosed = true;
      await queue.onIdle();
    },
  };
}
