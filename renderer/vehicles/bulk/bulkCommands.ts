import { maxListedVehicles } from '../../../server/contract/fields.ts';
import { maxReportVehicles } from '../../../server/contract/reportRows.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import type { Command } from '../../commands/command.ts';
import { followSelected, locateSelected } from '../../live/liveActions.ts';
import { vehiclesInView } from '../../live/feedMap.ts';
import { canOpen, mayWrite } from '../../navigation/navigation.ts';
import { isAt } from '../../notifications/notificationCommands.ts';
import type { Overlay } from '../../live/liveView.ts';
import { listLines } from '../listOrder.ts';
import { archivedSelection } from '../manage/archivedVehicles.ts';
import { clearVehicles, hasVehicles, selectVehicles } from '../selection/vehicleSelection.ts';
import { type CopiedAs, textOfVehicles } from './bulkVehicles.ts';

/** More could not be distinguished in one view, and each of their updates is looked at. */
const MOST_FOLLOWED = 1_000;

/** On the screens that show the selection, or bring it along. */
const hasSelection = (app: AppContext): boolean => hasVehicles(app) && isAt(app, 'live', 'vehicles');

/** What shows on the map is done there. */
function onLive(app: AppContext, act: (app: AppContext) => void): void {
  if (isAt(app, 'live')) {
    act(app);
    return;
  }
  app.navigation.go('live');
  // The map is there once the screen is drawn.
  const stop = app.map.store.subscribe(({ maps }) => {
    if (maps.length === 0) return;
    stop();
    act(app);
  });
}

function follow(app: AppContext): void {
  if (app.view.getState().selectedIds.size <= MOST_FOLLOWED) {
    onLive(app, followSelected);
    return;
  }
  const text = app.t('picked.follow_too_many', { most: MOST_FOLLOWED });
  app.toasts.setState({ toast: { text, isTrouble: true, action: null } });
}

/** Opens a screen with the selected vehicles; says so where they are more than it can take. */
function openWith(
  app: AppContext,
  place: 'reports' | 'events',
  most: number,
  tooMany: 'picked.report_too_many' | 'picked.events_too_many',
  query: Readonly<Record<string, string>> = {},
): void {
  const { selectedIds } = app.view.getState();
  if (selectedIds.size <= most) {
    app.navigation.go(place, { ...query, vehicle: [...selectedIds].join(',') });
    return;
  }
  app.toasts.setState({ toast: { text: app.t(tooMany, { most }), isTrouble: true, action: null } });
}

const report = (app: AppContext) => openWith(app, 'reports', maxReportVehicles, 'picked.report_too_many');
const listEvents = (app: AppContext) =>
  openWith(app, 'events', maxListedVehicles, 'picked.events_too_many', { view: 'events' });

async function copy(app: AppContext, as: CopiedAs): Promise<void> {
  await app.platform.copyText(textOfVehicles(app, app.view.getState().selectedIds, as, app.t));
}

function selectInView(app: AppContext): void {
  const map = app.map.current();
  if (map === null) return;
  const { width, height } = map.size();
  const inView = vehiclesInView(app.positions.all(), map.camera.view(), width, height);
  selectVehicles(app, inView, hasVehicles(app));
}

const open = (overlay: Overlay) => (app: AppContext) => app.view.setState({ overlay });
const isConnected = (app: AppContext) => app.connection.getState().link.phase !== 'lost';
const mayChange = (app: AppContext) => isConnected(app) && mayWrite(app.user, 'vehicles');

/** What commands of one vehicle do with several, by their ids. */
const SEVERAL: Readonly<Record<string, Pick<Command, 'when' | 'run'>>> = {
  locate: { when: () => true, run: (app) => onLive(app, locateSelected) },
  follow: { when: () => true, run: follow },
  follow_too: { when: () => false, run: () => undefined },
  terminal_commands: { when: mayChange, run: open('bulk_command') },
  video: { when: (app) => isConnected(app) && app.video.mayOrder, run: open('bulk_video') },
  snooze: {
    when: (app) => isConnected(app) && mayWrite(app.user, 'notifications'),
    run: open('bulk_snooze'),
  },
  copy_link: { when: () => true, run: (app) => void copy(app, 'table') },
};

/** The same command, which is about all selected vehicles while there are some. */
export function forSeveral(command: Command): Command {
  const several = SEVERAL[command.id];
  if (several === undefined) return command;
  return {
    ...command,
    when: (app) => (hasSelection(app) ? several : command).when(app),
    run: (app, pressed) => (hasSelection(app) ? several : command).run(app, pressed),
  };
}

const bulk = (
  id: `bulk_${'groups' | 'geofence' | 'report' | 'events'}` | 'copy_names' | 'copy_links' | 'clear_vehicles',
  run: (app: AppContext) => void,
  when: (app: AppContext) => boolean = () => true,
): Command => ({
  id,
  label: `command.${id}`,
  group: 'selection',
  shortcut: null,
  when: (app) => hasSelection(app) && when(app),
  run,
});

/** What is done with several vehicles alone. */
export const bulkCommands: readonly Command[] = [
  bulk('bulk_groups', open('bulk_groups'), mayChange),
  bulk('bulk_geofence', open('bulk_geofence'), mayChange),
  bulk('bulk_report', report, (app) => canOpen(app.user, 'reports')),
  bulk('bulk_events', listEvents, (app) => canOpen(app.user, 'events')),
  bulk('copy_names', (app) => void copy(app, 'names')),
  bulk('copy_links', (app) => void copy(app, 'links')),
  bulk('clear_vehicles', clearVehicles),
  {
    id: 'restore_vehicles',
    label: 'command.restore_vehicles',
    group: 'selection',
    shortcut: null,
    when: (app) => isConnected(app) && archivedSelection(app).length > 0,
    run: open('restore_vehicles'),
  },
];

/** Adds to what is selected. */
export const selectCommands: readonly Command[] = [
  {
    id: 'select_all',
    label: 'command.select_all',
    group: 'panes',
    shortcut: 'Ctrl+A',
    when: (app) => isAt(app, 'live') && app.vehicles.store.getState().byId.size > 0,
    run: (app) => selectVehicles(app, listedIds(app), true),
  },
  {
    id: 'select_in_view',
    label: 'command.select_in_view',
    group: 'map',
    shortcut: 'Shift+B',
    when: (app) => isAt(app, 'live'),
    run: selectInView,
  },
];

/** What the list of Live shows. */
function listedIds({ vehicles, view, statuses }: AppContext): string[] {
  const { byId } = vehicles.store.getState();
  const { statusFilter: status, groupId } = view.getState();
  const lines = listLines(
    [...byId.values()],
    { status, groupId },
    statuses.getState().byVehicle,
    new Map(),
    null,
  );
  return lines.flatMap((line) => (line.kind === 'vehicle' ? [line.vehicleId] : []));
}
