import { Command as CommandIcon, Hexagon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { Command } from '../commands.ts';
import type { Desk } from '../desk/desk.ts';
import { speedText } from '../format/numbers.ts';
import type { Say, TextKey } from '../i18n/text.ts';
import { keycapOf } from '../keyboard/shortcut.ts';
import { showNotification, showVehicle } from '../live/liveActions.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { latLon } from '../map/geodesy.ts';
import { alarmWords } from '../notifications/alarmWords.ts';
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
  desk: Desk,
  commands: readonly Command[],
  say: Say,
  input: string,
): PaletteEntry[] {
  const commandsOnly = input.startsWith('>');
  const typed = commandsOnly ? input.slice(1) : input;
  if (commandsOnly) return commandEntries(commands, say, typed, 40);
  if (typed.trim() === '') return [...momentEntries(desk, ''), ...commandEntries(commands, say, '', 40)];
  return [
    ...vehicleEntries(desk, typed),
    ...momentEntries(desk, typed),
    ...fenceEntries(desk, typed),
    ...commandEntries(commands, say, typed, PER_GROUP),
  ];
}

function vehicleEntries(desk: Desk, typed: string): PaletteEntry[] {
  const { byId } = desk.vehicles.store.getState();
  const textOf = ({ name, plate }: Vehicle) => (plate === null ? name : `${name} ${plate}`);
  const byNameOrPlate = bestMatches(byId.values(), textOf, typed, PER_GROUP);
  const known = new Set(byNameOrPlate.map(({ item }) => item));
  const others = [...byId.values()].filter((it) => !known.has(it));
  const allOf = (it: Vehicle) =>
    [textOf(it), it.driver ?? '', it.terminal_id].filter((part) => part !== '').join(' ');
  const found = [...byNameOrPlate, ...bestMatches(others, allOf, typed, PER_GROUP - byNameOrPlate.length)];
  return found.map(({ item: vehicle, parts }) => {
    const id = vehicle.vehicle_id;
    const status = desk.statuses.getState().byVehicle.get(id) ?? 'never';
    const needs = desk.attention.getState().byVehicle.get(id);
    const live = desk.positions.get(id);
    const does = status === 'moving' ? speedText(live?.last.speed_kmh ?? 0) : desk.say(`status.${status}`);
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
      detail: [vehicle.driver, desk.places.ofVehicle(id), does]
        .filter((it) => it !== null && it !== '')
        .join(', '),
      keycap: null,
      run: () => {
        desk.navigation.go('live', { vehicle: id });
        showVehicle(desk, id, { locate: true });
      },
    };
  });
}

function momentEntries(desk: Desk, typed: string): PaletteEntry[] {
  const time = desk.settings.getState().time;
  const open = [...desk.notifications.store.getState().byId.values()]
    .filter((it) => typed !== '' || it.state === 'open')
    .sort((a, b) => (a.last_time < b.last_time ? 1 : -1))
    .map((notification) => {
      const vehicle = desk.vehicles.store.getState().byId.get(notification.vehicle_id);
      const words = alarmWords(notification, desk);
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
    detail: `${words.what}, ${desk.say(`notification.${notification.state}`)}`,
    keycap: null,
    run: () => {
      desk.navigation.go('live', {
        vehicle: notification.vehicle_id,
        notification: notification.notification_id,
      });
      showNotification(desk, notification, { locate: true });
    },
  }));
}

function fenceEntries(desk: Desk, typed: string): PaletteEntry[] {
  const { byId } = desk.geofences.store.getState();
  return bestMatches(byId.values(), (fence) => fence.name, typed, PER_GROUP).map(
    ({ item: fence, parts }) => ({
      id: `fence-${fence.geozone_id}`,
      group: 'palette.geofences',
      icon: <Icon of={Hexagon} />,
      parts,
      detail:
        fence.speed_limit_kmh === null
          ? ''
          : desk.say('fence.limit_is', { limit: speedText(fence.speed_limit_kmh) }),
      keycap: null,
      run: () => {
        desk.navigation.go('live');
        desk.view.setState({ geozoneId: fence.geozone_id });
        const corners: readonly (readonly number[])[] =
          fence.geometry.type === 'Point'
            ? [fence.geometry.coordinates]
            : fence.geometry.type === 'LineString'
              ? fence.geometry.coordinates
              : fence.geometry.type === 'Polygon'
                ? fence.geometry.coordinates.flat()
                : fence.geometry.coordinates.flat(2);
        desk.map.current()?.camera.fitAll(corners.map((corner) => latLon([...corner])));
      },
    }),
  );
}

function commandEntries(
  commands: readonly Command[],
  say: Say,
  typed: string,
  limit: number,
): PaletteEntry[] {
  const usable = commands.filter(
    (command) => command.when() && command.id !== 'palette' && command.id !== 'search',
  );
  return bestMatches(usable, (command) => say(command.label), typed, limit).map(
    ({ item: command, parts }) => ({
      id: `command-${command.id}`,
      group: 'palette.commands',
      icon: <Icon of={CommandIcon} />,
      parts,
      detail: '',
      keycap: command.shortcut === null ? null : keycapOf(command.shortcut),
      run: command.run,
    }),
  );
}
