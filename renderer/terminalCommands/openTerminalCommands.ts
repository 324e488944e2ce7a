import type { Desk } from '../desk/desk.ts';
import { vehicleRights } from '../vehicles/manage/vehicleAdmin.ts';

/** The vehicle whose terminal a command would go to: the one that is selected, where it may be told something. */
export function vehicleToCommand(desk: Desk): string | null {
  if (!vehicleRights(desk).mayWrite) return null;
  const { place, query } = desk.navigation.store.getState();
  const selected =
    place === 'live'
      ? desk.view.getState().vehicleId
      : place === 'vehicles' && query['tab'] !== 'groups'
        ? (query['id'] ?? null)
        : null;
  return selected !== null && desk.vehicles.store.getState().byId.has(selected) ? selected : null;
}

/** Opens what a vehicle's terminal was told, and the form to tell it something. */
export function openTerminalCommands(desk: Desk, vehicleId: string): void {
  desk.view.setState({ overlay: 'terminal_commands', commandedId: vehicleId });
}

/** Whether the operator looks at the commands of this vehicle now. */
export function showsCommandsOf(desk: Pick<Desk, 'view'>, vehicleId: string): boolean {
  const { overlay, commandedId } = desk.view.getState();
  return overlay === 'terminal_commands' && commandedId === vehicleId;
}
