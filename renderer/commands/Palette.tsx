import { Command as CommandIcon, Hexagon, Search } from 'lucide-react';
import { Fragment, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { TextKey } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { showNotification, showVehicle } from '../live/liveActions.ts';
import { latLon } from '../map/geodesy.ts';
import { formatSpeed } from '../format/numbers.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { statusWords } from '../telemetry/statusWords.ts';
import { alarmLabels } from '../notifications/alarmLabels.ts';
import { Icon } from '../ui/Icon.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { COMMANDS } from './commands.ts';
import { bestMatches, type Part } from './findEntries.ts';
import { keycapOf } from './shortcuts.ts';
import './Palette.css';

/** One field for everything: vehicles, moments, geofences and commands. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const [input, setInput] = useState('');
  const [chosen, setChosen] = useState(0);
  const entries = useMemo(() => paletteEntries(app, input), [app, input]);
  const at = Math.min(chosen, entries.length - 1);

  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setChosen((at + step + entries.length) % entries.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[at]);
    }
  };

  return (
    <ModalOverlay className="modal-scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="palette">
        <Dialog className="palette__dialog" aria-label={t('palette.title')}>
          <div className="palette__input">
            <Icon of={Search} />
            <input
              role="combobox"
              aria-expanded
              aria-controls="palette-results"
              aria-activedescendant={entries[at]?.id}
              aria-label={t('palette.title')}
              placeholder={t('palette.placeholder')}
              value={input}
              autoFocus
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => {
                setInput(event.target.value);
                setChosen(0);
              }}
              onKeyDown={onKeyDown}
            />
            <Kbd>Esc</Kbd>
          </div>
          <div
            className="palette__results"
            role="listbox"
            id="palette-results"
            aria-label={t('palette.results')}
          >
            {entries.length === 0 && <p className="palette__nothing quiet">{t('palette.nothing')}</p>}
            {entries.map((entry, index) => (
              <Fragment key={entry.id}>
                {entry.group !== entries[index - 1]?.group && (
                  <div className="palette__group" role="presentation">
                    {t(entry.group)}
                  </div>
                )}
                <div
                  id={entry.id}
                  role="option"
                  aria-selected={index === at}
                  className="palette__entry"
                  ref={index === at ? intoView : null}
                  onPointerMove={() => setChosen(index)}
                  onClick={() => run(entry)}
                >
                  <span className="palette__icon">{entry.icon}</span>
                  <span className="ellipsis">
                    {entry.parts.map((part, place) =>
                      part.typed ? <b key={place}>{part.text}</b> : part.text,
                    )}
                  </span>
                  <span className="quiet ellipsis">{entry.detail}</span>
                  {entry.keycap !== null && <Kbd>{entry.keycap}</Kbd>}
                </div>
              </Fragment>
            ))}
          </div>
          <div className="palette__foot">
            <span>
              <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t('palette.move')}
            </span>
            <span>
              <Kbd>Enter</Kbd> {t('palette.open')}
            </span>
            <span className="fill" />
            <span>
              <Kbd>&gt;</Kbd> {t('palette.commands_only')}
            </span>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

interface PaletteEntry {
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
function paletteEntries(app: AppContext, input: string): PaletteEntry[] {
  const commandsOnly = input.startsWith('>');
  const typed = commandsOnly ? input.slice(1) : input;
  if (commandsOnly) return commandEntries(app, typed, 40);
  if (typed.trim() === '') return [...momentEntries(app, ''), ...commandEntries(app, '', 40)];
  return [
    ...vehicleEntries(app, typed),
    ...momentEntries(app, typed),
    ...geofenceEntries(app, typed),
    ...commandEntries(app, typed, PER_GROUP),
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
    const does = statusWords(status, live, app.t);
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
      const vehicle = app.vehicles.store.getState().byId.get(notification.vehicle_id ?? '');
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

function commandEntries(app: AppContext, typed: string, limit: number): PaletteEntry[] {
  const usable = COMMANDS.filter(
    (command) =>
      command.needsKey === undefined &&
      command.id !== 'palette' &&
      command.id !== 'search' &&
      command.when(app),
  );
  return bestMatches(usable, (command) => app.t(command.label), typed, limit).map(
    ({ item: command, parts }) => ({
      id: `command-${command.id}`,
      group: 'palette.commands',
      icon: <Icon of={CommandIcon} />,
      parts,
      detail: '',
      keycap: command.shortcut === null ? null : (command.keycap ?? keycapOf(command.shortcut)),
      run: () => command.run(app, ''),
    }),
  );
}
