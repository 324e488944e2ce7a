import PQueue from 'p-queue';
import type { TerminalCommandRow, Written } from '../../store/telemetry/rows.ts';
import type { Acts, Once } from '../../store/acts.ts';
import type { Store } from '../../store/operations.ts';
import { StoreFailed } from '../../store/storeErrors.ts';

/** What a command is to become, as it stands now; null or the same: it stays. May throw: then nothing is stored. */
export type Decide = (row: TerminalCommandRow) => TerminalCommandRow | null;

/**
 * The book of all commands: those without an end in memory, all of them in the telemetry store. Changes run one after
 * the other, and each decides from what the one before has stored.
 */
export type CommandRepository = ReturnType<typeof createCommandRepository>;

export function createCommandRepository(deps: {
  store: Pick<Store, 'terminalCommandsById'>;
  acts: Pick<Acts, 'run'>;
  /** Without an end, oldest first. */
  rows: readonly TerminalCommandRow[];
  announce: (rows: readonly TerminalCommandRow[], written: Written) => void;
}) {
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

  function write<T>(rows: TerminalCommandRow[], result: T, once?: Once<T>): Promise<T> {
    return deps.acts.run(
      (act) => {
        if (rows.length > 0)
          act.write('saveTerminalCommands', rows, (written) => {
            for (const row of rows) note(row);
            deps.announce(rows, written);
          });
        return result;
      },
      { once },
    );
  }

  /** One whose writing was said to have failed may be in the store all the same, and is then to be sent. */
  async function takeUp(rows: readonly TerminalCommandRow[]): Promise<void> {
    const stored = await deps.store.terminalCommandsById(rows.map((row) => row.command_id));
    for (const row of stored) note(row);
  }

  const openOf = (vehicleId: string) => [...(vehicles.get(vehicleId)?.values() ?? [])];

  return {
    /** Without an end, oldest first. */
    open: (): readonly TerminalCommandRow[] => [...vehicles.values()].flatMap((own) => [...own.values()]),
    /** The same of one vehicle. */
    openOf,
    /**
     * Adds what is made of the open commands, all of it or nothing, and answers the result; `make` may throw.
     * @throws {DiskFull}; {StoreFailed}: they may be stored all the same, and are open commands then
     */
    add: <T>(make: () => { rows: TerminalCommandRow[]; result: T }, once?: Once<T>): Promise<T> =>
      runSequentially(async () => {
        const { rows, result } = make();
        try {
          return await write(rows, result, once);
        } catch (error) {
          if (error instanceof StoreFailed) await takeUp(rows).catch(() => undefined);
          throw error;
        }
      }),
    /**
     * Changes a command, unless it has come to its end meanwhile; answers it when it changed.
     * @throws {DiskFull}, {StoreFailed}, and what `decide` throws
     */
    change: (commandId: string, decide: Decide): Promise<TerminalCommandRow | null> =>
      runSequentially(async () => {
        const row = vehicles.get(vehicleOf.get(commandId) ?? '')?.get(commandId);
        const next = row === undefined ? null : decide(row);
        return next === null || next === row ? null : write([next], next);
      }),
    /** Lets go of a vehicle, whose rows are about to be deleted: none of them is written again. */
    forget: (vehicleId: string): Promise<void> =>
      runSequentially(() => {
        for (const id of vehicles.get(vehicleId)?.keys() ?? []) vehicleOf.delete(id);
        vehicles.delete(vehicleId);
        return Promise.resolve();
      }),
    /** Waits for what is under way; later changes reject. */
    async close(): Promise<void> {
      isClosed = true;
      await queue.onIdle();
    },
  };
}
