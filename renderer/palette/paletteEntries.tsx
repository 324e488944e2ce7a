import { Command as CommandIcon, Hexagon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { Command } from '../commands.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { formatSpeed } from '../format/numbers.ts';
import type { Translate, TextKey } from '../i18n/text.ts';
import { keycapOf } from '../keyboard/shortcut.ts';
import { showNotification, showVehicle } from '../live/liveActions.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { latLon } from '../map/geodesy.ts';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import { Icon } from '../ui/Icon.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { bestMatches, type Part } from './findEntries.ts';

export interface PaletteEntry {
  id: string;
  group: TextKey;
  icon: ReactNode;
  parts: Part[];
  detail: string;
  keycap: string | null;
  run: () => void;
}

const PER_GROUP = 6;

/** What the palette finds for what was typed; after `>` commands alone. */
export function paletteEntries(
  app: AppContext,
  commands: readonly Command[],
  t: Translate,
  input: string,
): PaletteEntry[] {
  const commandsOnly = input.startsWith('>');
  const typed = commandsOnly ? input.slice(1) : input;
  if (commandsOnly) return commandEntries(commands, t, typed, 40);
  if (typed.trim() === '') return [...momentEntries(app, ''), ...commandEntries(commands, t, '', 40)];
  return [
    ...vehicleEntries(app, typed),
    ...momentEntries(app, typed),
    ...geofenceEntries(app, typed),
    ...commandEntries(commands, t, typed, PER_GROUP),
  ];
}

function vehicleEntries(app: AppContext, typed: string): PaletteEntry[] {
  const { byId } = app.vehicles.store.getState();
  const textOf = ({ name, plate }: Vehicle) => (plate === null ? name : `${name} ${plate}`);
  const byNameOrPlate = bestMatches(byId.values(), textOf, typed, PER_GROUP);
  const known = new Set(byNameOrPlate.map(({ item }) => item));
  const others = [...byId.values()].filter((it) => !known.has(it));
  const allOf = (it: Vehicle) =>
    [textOf(it), it.driver ?? '', it.terminal_id].filter((part) => part !== '').join(' ');
  const found = [...byNameOrPlate, ...bestMatches(others, allOf, typed, PER_GROUP - byNameOrPlate.length)];
  return found.map(({ item: vehicle, parts }) => {
    const id = vehicle.vehicle_id;
    const status = app.statuses.getState().byVehicle.get(id) ?? 'never';
    const needs = app.attention.getState().byVehicle.get(id);
    const live = app.positions.get(id);
    const does = status === 'moving' ? formatSpeed(live?.last.speed_kmh ?? 0) : app.t(`status.${status}`);
    return {
      id: `vehicle-${id}`,
      group: 'palette.vehicles',
      icon: (
        <VehicleGlyph
          state={status}
          severity={needs?.severity ?? null}
          acknowledged={needs?.acknowledged ?? false}
          course={live?.fix?.course_deg ?? null}
          size={20}
        />
      ),
      parts,
      detail: [vehicle.driver, app.places.ofVehicle(id), does]
        .filter((it) => it !== null && it !== '')
        .join(', '),
      keycap: null,
      run: () => {
        app.navigation.go('live', { vehicle: id });
        showVehicle(app, id, { locate: true });
      },
    };
  });
}

function momentEntries(app: AppContext, typed: string): PaletteEntry[] {
  const time = app.settings.getState().time;
  const open = [...app.notifications.store.getState().byId.values()]
    .filter((it) => typed !== '' || it.state === 'open')
    .sort((a, b) => (a.last_time < b.last_time ? 1 : -1))
    .map((notification) => {
      const vehicle = app.vehicles.store.getState().byId.get(notification.vehicle_id);
      const words = alarmLabels(notification, app);
      return {
        notification,
        words,
        text: `${vehicle?.name ?? ''} ${words.kind} ${time.clock(Date.parse(notification.last_time))}`,
      };
    });
  return bestMatches(open, (it) => it.text, typed, 4).map(({ item: { notification, words }, parts }) => ({
    id: `moment-${notification.notification_id}`,
    group: 'palette.moments',
    icon: <SeverityMark severity={notification.severity} spoken={false} />,
    parts,
    detail: `${words.what}, ${app.t(`notification.${notification.state}`)}`,
    keycap: null,
    run: () => {
      app.navigation.go('live', {
        vehicle: notification.vehicle_id,
        notification: notification.notification_id,
      });
      showNotification(app, notification, { locate: true });
    },
  }));
}

function geofenceEntries(app: AppContext, typed: string): PaletteEntry[] {
  const { byId } = app.geofences.store.getState();
  return bestMatches(byId.values(), (geofence) => geofence.name, typed, PER_GROUP).map(
    ({ item: geofence, parts }) => ({
      id: `fence-${geofence.geozone_id}`,
      group: 'palette.geofences',
      icon: <Icon of={Hexagon} />,
      parts,
      detail:
        geofence.speed_limit_kmh === null
          ? ''
          : app.t('geofence.limit_is', { limit: formatSpeed(geofence.speed_limit_kmh) }),
      keycap: null,
      run: () => {
        app.navigation.go('live');
        app.view.setState({ geozoneId: geofence.geozone_id });
        const corners: readonly (readonly number[])[] =
          geofence.geometry.type === 'Point'
            ? [geofence.geometry.coordinates]
            : geofence.geometry.type === 'LineString'
              ? geofence.geometry.coordinates
              : geofence.geometry.type === 'Polygon'
                ? geofence.geometry.coordinates.flat()
                : geofence.geometry.coordinates.flat(2);
        app.map.current()?.camera.fitAll(corners.map((corner) => latLon([...corner])));
      },
    }),
  );
}

function commandEntries(
  commands: readonly Command[],
  t: Translate,
  typed: string,
  limit: number,
): PaletteEntry[] {
  const usable = commands.filter(
    (command) => command.when() && command.id !== 'palette' && command.id !== 'search',
  );
  return bestMatches(usable, (command) => t(command.label), typed, limit).map(({ item: command, parts }) => ({
    id: `command-${command.id}`,
    group: 'palette.commands',
    icon: <Icon of={CommandIcon} />,
    parts,
    detail: '',
    keycap: command.shortcut === null ? null : keycapOf(command.shortcut),
    run: command.run,
  }));
}
