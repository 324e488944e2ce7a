import {
  terminalCommandRoutes,
  type BulkCommandResult,
  type TerminalCommand,
} from '../../contract/terminalCommands.ts';
import type { Api } from '../../http/api.ts';
import { beforeOf, newestFirst } from '../../http/pagination.ts';
import type { TerminalCommandRow } from '../../store/telemetry/rows.ts';
import type { Vehicles } from '../../vehicles/vehicles.ts';
import type { TerminalCommands } from './terminalCommands.ts';
import { isoTime } from '../presentPosition.ts';

export function addTerminalCommandRoutes(
  api: Api,
  { vehicles, commands }: { vehicles: Pick<Vehicles, 'find'>; commands: TerminalCommands },
): void {
  api.handle(terminalCommandRoutes.reach, ({ params, viewer }) =>
    commands.reach(vehicles.find(params.vehicle, viewer)),
  );

  api.handle(terminalCommandRoutes.list, async ({ params, query, viewer }) => {
    const { vehicle_id } = vehicles.find(params.vehicle, viewer);
    const { limit, cursor } = query;
    const rows = await commands.list(vehicle_id, { limit: limit + 1, ...beforeOf(cursor) });
    return newestFirst(rows, limit, (row) => ({ ms: row.created_ms, id: row.command_id }), presentCommand);
  });

  api.handle(terminalCommandRoutes.send, ({ params, body, viewer, once }) => {
    const vehicle = vehicles.find(params.vehicle, viewer);
    return once<TerminalCommandRow>(
      (stored) => commands.send(vehicle, body, { userId: viewer.user.user_id, once: stored }),
      (row) => ({
        reply: presentCommand(row),
        location: `/api/v1/vehicles/${row.vehicle_id}/commands/${row.command_id}`,
      }),
      vehicle.vehicle_id,
    );
  });

  api.handle(terminalCommandRoutes.sendMany, ({ query, body, viewer, once }) => {
    const { vehicle_ids, ...command } = body;
    const find = (id: string) => vehicles.find(id, viewer);
    const by = { userId: viewer.user.user_id, dryRun: query.dry_run === '1' };
    if (by.dryRun) return commands.sendMany(vehicle_ids, command, find, by);
    return once<BulkCommandResult>(
      (stored) => commands.sendMany(vehicle_ids, command, find, { ...by, once: stored }),
      (reply) => ({ reply }),
    );
  });

  api.handle(terminalCommandRoutes.get, async ({ params, viewer }) => {
    const { vehicle_id } = vehicles.find(params.vehicle, viewer);
    return presentCommand(await commands.find(vehicle_id, params.command_id));
  });

  api.handle(terminalCommandRoutes.cancel, async ({ params, viewer }) => {
    const { vehicle_id } = vehicles.find(params.vehicle, viewer);
    return presentCommand(await commands.cancel(vehicle_id, params.command_id));
  });
}

export function presentCommand(row: TerminalCommandRow): TerminalCommand {
  const { created_ms, sent_ms, completed_ms, expires_ms, ...rest } = row;
  return {
    ...rest,
    created_at: isoTime(created_ms),
    sent_at: sent_ms === null ? null : isoTime(sent_ms),
    ended_at: completed_ms === null ? null : isoTime(completed_ms),
    expires_at: isoTime(expires_ms),
  };
}
