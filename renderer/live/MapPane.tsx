import { Columns2, Crosshair, Expand, Hexagon, ImageDown, Minus, Plus, X } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { drawGeofence } from '../geofences/geofenceCommands.ts';
import { mayDrawGeofences } from '../geofences/geofenceRights.ts';
import { useT } from '../i18n/useT.ts';
import type { ScaleBar } from '../map/camera.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { consoleLayers, type ConsoleLayers } from '../map/mapLayers.ts';
import { MapView, type MapDeclaration } from '../map/MapView.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { createMapFeed, describeVehicle, type MapFeed } from './feedMap.ts';
import { fullMapCommand, mapCommands, savePicture, secondMapCommand } from './liveCommands.ts';
import { ViewMenu } from '../mapViews/ViewMenu.tsx';
import { CommandTool } from './CommandTool.tsx';
import { LayerMenu } from './LayerMenu.tsx';
import { mapLayersOf } from './mapLayerChoice.ts';
import { OwnWindowButton } from '../windows/OwnWindowButton.tsx';
import { scaleText } from './saveMapPicture.ts';
import './MapPane.css';

/** Data blocks keep out of the tools at the right and the chip at the bottom. */
const INSETS = { top: 12, right: 56, bottom: 44, left: 12 };
/** The chip with the legend of the past takes the whole edge: how many alarms have no data block stands above it. */
const PAST_INSETS = { ...INSETS, bottom: 72 };
/** All of Europe, until there is something to look at. */
const EVERYWHERE = { lat: 48, lon: 12, zoom: 3.2 };
const TOOLS = mapCommands.map((command, at) => ({ ...command, icon: [Plus, Minus, Crosshair][at] ?? Plus }));

/** What is special of the map of one screen. */
export interface MapScreen {
  /** Shows all geofences, in their own colours. */
  ownColours?: boolean;
  /** It stands beside another map, which has the tools that are for both. */
  isSecond?: boolean;
  /** Where the map looks at first; all of Europe when it does not say. */
  view?: (app: AppContext) => MapDeclaration<ConsoleLayers>['view'] | null;
  /** What it shows in place of the fleet as it is now. */
  past?: {
    feed: (app: AppContext, map: ConsoleMap) => () => void;
    describe: typeof describeVehicle;
  };
  /** Runs once the map is fed; returns its undo. */
  start: (app: AppContext, map: ConsoleMap) => () => void;
}

/** The vehicles and geofences on the map, with its few tools at one edge and the scale at another. */
export function MapPane({
  screen,
  feed,
  legend,
  chips,
}: {
  /** The map is built anew for another one. */
  screen: MapScreen;
  /** What brings several maps their data; one of its own when it is left out. */
  feed?: MapFeed;
  legend?: ReactNode;
  /** What lies over the map. */
  chips?: (map: ConsoleMap) => ReactNode;
}) {
  const app = useAppContext();
  const t = useT();
  const [faults, setFaults] = useState({ count: 0, last: '' });
  const [scale, setScale] = useState<ScaleBar | null>(null);
  const [followed, setFollowed] = useState<readonly string[]>([]);
  const [map, setMap] = useState<ConsoleMap | null>(null);
  const isCurrent = useStore(app.map.store, ({ maps }) => maps.length > 1 && maps[0] === map);
  const onFault = useCallback(
    (error: Error) => setFaults(({ count }) => ({ count: count + 1, last: error.message })),
    [],
  );
  const declare = useCallback(
    (): MapDeclaration<ConsoleLayers> => ({
      view: screen.view?.(app) ?? EVERYWHERE,
      shown: mapLayersOf(app),
      layers: consoleLayers({
        describe: (vehicle) => (screen.past?.describe ?? describeVehicle)(app, vehicle),
        describeRest: (count) => app.t('map.more_alarms', { count }),
        insets: screen.past === undefined ? INSETS : PAST_INSETS,
        ownColours: screen.ownColours ?? false,
      }),
      start(map, element) {
        const undo = [
          app.map.attach(map),
          screen.past?.feed(app, map) ??
            (feed ?? createMapFeed(app, screen.ownColours ?? false)).join(map, element),
          map.camera.onScale(setScale),
          map.camera.onFollow(setFollowed),
          screen.start(app, map),
        ];
        setMap(map);
        return () => {
          setMap(null);
          setFollowed([]);
          undo.forEach((run) => run());
        };
      },
    }),
    [app, screen, feed],
  );

  const label = t(screen.isSecond === true ? 'map.second' : 'map.title');
  const touch = () => {
    if (map !== null) app.map.touch(map);
  };
  return (
    <section
      className="map-pane"
      aria-label={label}
      data-pane
      data-current={isCurrent || undefined}
      tabIndex={-1}
      onPointerDownCapture={touch}
      onWheelCapture={touch}
      onFocusCapture={touch}
    >
      {screen.past === undefined && <StaleBanner>{t('map.stale')}</StaleBanner>}
      {faults.count > 0 && (
        <div className="map-pane__fault" title={faults.last}>
          {t('map.faults', { count: faults.count })}
        </div>
      )}
      <div className="map-pane__map">
        <MapView declare={declare} label={label} onFault={onFault} />
        <div className="map-tools" role="toolbar" aria-label={t('map.tools')} aria-orientation="vertical">
          {TOOLS.map(({ icon, ...command }) => (
            <CommandTool key={command.id} icon={icon} command={command} />
          ))}
          {screen.isSecond === true ? (
            <CommandTool icon={X} command={secondMapCommand} />
          ) : (
            <OwnTools allGeofences={screen.ownColours ?? false} isPast={screen.past !== undefined} />
          )}
        </div>
        {map !== null && chips?.(map)}
        {(scale !== null || legend !== undefined) && (
          <div className="map-chip">
            {scale !== null && (
              <>
                <svg width={scale.lengthPx + 1} height={10} aria-hidden>
                  <path d={`M.5 2v5.5h${scale.lengthPx}V2`} fill="none" stroke="currentColor" />
                </svg>
                <span>{scaleText(scale)}</span>
              </>
            )}
            {scale !== null && legend !== undefined && followed.length === 0 && (
              <span className="faint">|</span>
            )}
            {followed.length === 0 && legend}
            {map !== null && followed.length > 0 && (
              <Followed ids={followed} onStop={() => map.camera.follow([])} />
            )}
          </div>
        )}
      </div>
    </section>
  );
}

/** The tools that are for every map that is shown. */
function OwnTools({ allGeofences, isPast }: { allGeofences: boolean; isPast: boolean }) {
  const app = useAppContext();
  const t = useT();
  const drawing = useStore(app.view, (state) => state.geofenceEdit !== null);
  const isFull = useStore(app.view, (state) => state.fullMap);
  const secondFits = useStore(app.view, (state) => state.secondMapFits);
  const hasSecond = useStore(app.preferences, (state) => state.secondMap.open);
  return (
    <>
      <LayerMenu allGeofences={allGeofences} />
      <ViewMenu />
      <CommandTool icon={ImageDown} command={savePicture} />
      {!allGeofences && !isPast && (
        <>
          {secondFits && <CommandTool icon={Columns2} command={secondMapCommand} pressed={hasSecond} />}
          <CommandTool icon={Expand} command={fullMapCommand} pressed={isFull} />
          <OwnWindowButton of="map" size="normal" />
        </>
      )}
      {!isPast && mayDrawGeofences(app) && (
        <IconButton
          icon={Hexagon}
          label={t(drawGeofence.label)}
          keycap={drawGeofence.shortcut}
          pressed={drawing}
          onPress={() => {
            if (drawGeofence.when(app)) drawGeofence.run(app, '');
          }}
        />
      )}
    </>
  );
}

/** As many names as the chip has room for. */
const NAMED = 3;

/** What the map moves with, and the way to stop that. */
function Followed({ ids, onStop }: { ids: readonly string[]; onStop: () => void }) {
  const t = useT();
  const app = useAppContext();
  const byId = useStore(app.vehicles.store, (state) => state.byId);
  const names = ids.slice(0, NAMED).flatMap((id) => byId.get(id)?.name ?? []);
  const more = ids.length - NAMED;
  const listed = names.join(', ');
  return (
    <>
      <span className="faint">|</span>
      <span className="strong map-chip__followed">
        {t('map.following', {
          names: more > 0 ? t('map.following_more', { names: listed, count: more }) : listed,
        })}
      </span>
      <IconButton icon={X} size="small" label={t('map.following_stop')} onPress={onStop} />
    </>
  );
}
