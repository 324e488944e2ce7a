import type { Driver } from '../../server/contract/drivers.ts';
import type { AppContext } from '../appContext/appContext.ts';
import type { Command } from '../commands/command.ts';
import { showVehicle } from '../live/liveActions.ts';
import { shareLink } from '../navigation/appLinks.ts';
import { canOpen, NEW } from '../navigation/navigation.ts';
import { isAt } from '../notifications/notificationCommands.ts';

/** The selected row of a list of drivers, geofences, rules or users, as its link names it. */
function selectedRow(app: AppContext): { id: string; tab?: string } | null {
  if (isAt(app, 'geofences')) {
    const id = app.view.getState().geozoneId;
    return id === null ? null : { id };
  }
  const { tab, id = NEW } = app.navigation.store.getState().query;
  if (id === NEW) return null;
  if (isAt(app, 'vehicles')) return tab === 'drivers' ? { tab, id } : null;
  return isAt(app, 'rules', 'users') ? { id } : null;
}

const selectedDriver = (app: AppContext): Driver | undefined =>
  isAt(app, 'vehicles') ? app.drivers.store.getState().byId.get(selectedRow(app)?.id ?? '') : undefined;

/** What the selected driver drives now. */
function drivenVehicle(app: AppContext): string | null {
  const driver = selectedDriver(app);
  if (driver === undefined) return null;
  for (const { vehicle_id, current_driver } of app.vehicles.store.getState().byId.values())
    if (current_driver?.driver_id === driver.driver_id) return vehicle_id;
  return null;
}

/** What is done with the selected row of a list of what people set up. */
export const rowCommands: readonly Command[] = [
  {
    id: 'driver_locate',
    label: 'command.driver_locate',
    group: 'lists',
    shortcut: 'L',
    when: (app) => drivenVehicle(app) !== null,
    run(app) {
      const vehicleId = drivenVehicle(app);
      if (vehicleId === null) return;
      app.navigation.go('live');
      showVehicle(app, vehicleId, { locate: true });
    },
  },
  {
    id: 'driver_call',
    label: 'command.incident_call',
    group: 'lists',
    shortcut: 'D',
    when: (app) => (selectedDriver(app)?.phone ?? null) !== null,
    run: (app) => void app.platform.copyText(selectedDriver(app)?.phone ?? ''),
  },
  {
    id: 'rule_notifications',
    label: 'rules.notifications',
    group: 'lists',
    shortcut: 'N',
    when: (app) => isAt(app, 'rules') && selectedRow(app) !== null && canOpen(app.user, 'events'),
    // The whole past, as from the palette.
    run: (app) => app.navigation.go('events', { rule: selectedRow(app)?.id ?? null, period: 'all' }),
  },
  {
    id: 'row_copy_link',
    label: 'resources.copy_link',
    group: 'lists',
    shortcut: 'Ctrl+C',
    when: (app) => selectedRow(app) !== null,
    run(app) {
      const row = selectedRow(app);
      const { place } = app.navigation.store.getState();
      if (row !== null) void app.platform.copyText(shareLink(app, place, { ...row }));
    },
  },
];
