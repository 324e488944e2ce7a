import { PanelLeftOpen, X } from 'lucide-react';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { OpenIncidents } from '../incidents/OpenIncidents.tsx';
import { lastView, rememberedView, rememberView, type ViewKey } from '../live/lastView.ts';
import {
  MAP_MIN,
  PANE_LIMITS,
  type LiveLayout,
  foldPane,
  sizeOfSecondMap,
  sizePane,
  toggleSecondMap,
} from '../live/liveLayout.ts';
import type { LiveView } from '../live/liveView.ts';
import { createMapFeed } from '../live/feedMap.ts';
import { useElementSize } from '../ui/useWindowSize.ts';
import { readLiveAddress, locateSelected, showVehicle } from '../live/liveActions.ts';
import { showStartView } from '../mapViews/mapViewActions.ts';
import { Queue } from '../notifications/Queue.tsx';
import { MeasureChip } from '../points/MeasureChip.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Splitter } from '../ui/Splitter.tsx';
import { VehicleList } from '../vehicles/VehicleList.tsx';
import { VehiclePanel } from '../vehicles/VehiclePanel.tsx';
import { VehicleStrip } from '../vehicles/StatusFilter.tsx';
import type { AppContext } from '../appContext/appContext.ts';
import { openMenu, openVehicleMenu } from '../commands/contextMenus.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import { isInFrame } from '../map/frameSelection.ts';
import type { Pick } from '../map/picking.ts';
import { SelectionBar } from '../vehicles/selection/SelectionBar.tsx';
import { selectVehicles, toggled } from '../vehicles/selection/vehicleSelection.ts';
import { MapPane, type MapScreen } from '../live/MapPane.tsx';
import { formatSpeed } from '../format/numbers.ts';
import { Button } from '../ui/Button.tsx';
import { areHintsLeft } from '../settings/userPreferences.ts';
import { resumeDrawing, startEditing } from '../geofences/drawingActions.ts';
import { mayDrawGeofences } from '../geofences/geofenceRights.ts';
import { laterPart } from './laterPart.tsx';
import { geofencePanelPart, pointPanelPart } from './liveParts.tsx';
import { Clock, ConnectionField } from './TopBar.tsx';
import './LiveScreen.css';

const hints = laterPart(async () => (await import('../hints/HintCard.tsx')).HintCard);

/** The one screen: list, map, panel, and the queue under all three. */
export function LiveScreen({ layout }: { layout: LiveLayout }) {
  const app = useAppContext();
  const t = useT();
  const { preferences } = app;
  const vehicleId = useStore(app.view, (state) => state.vehicleId);
  const asked = useMapPanel();
  const panelFolded = useStore(preferences, (state) => state.panes['panel']?.folded ?? false);
  const hintsLeft = useStore(app.userPreferences.store, areHintsLeft);
  useEffect(() => readLiveAddress(app), [app]);

  const panel =
    asked ??
    (vehicleId !== null && !panelFolded && !layout.full ? (
      <VehiclePanel key={vehicleId} vehicleId={vehicleId} />
    ) : null);

  return (
    <div
      className="live"
      style={{
        '--list': layout.listFolded ? '48px' : `${layout.listWidth}px`,
        '--panel': `${layout.panelWidth}px`,
        '--queue': layout.queueFolded ? '72px' : `${layout.queueHeight}px`,
      }}
    >
      <div className="live__top">
        <div className="live__list" data-window="list">
          {layout.listFolded ? (
            <div className="live__strip">
              <IconButton
                icon={PanelLeftOpen}
                label={t('list.unfold')}
                keycap="["
                onPress={() => foldPane(preferences, 'list')}
              />
              <VehicleStrip />
            </div>
          ) : (
            <>
              <VehicleList />
              <Splitter
                label={t('list.resize')}
                edge="right"
                size={layout.listWidth}
                {...PANE_LIMITS.list}
                onSize={(size) => sizePane(preferences, 'list', size)}
                onFold={() => foldPane(preferences, 'list')}
              />
            </>
          )}
        </div>
        <div className="live__map" data-window="map">
          <LiveMaps second={layout.secondMap} showsSelection={layout.listFolded} />
          {hintsLeft && <hints.Part />}
        </div>
        {panel !== null && (
          <div
            className={layout.panelOver ? 'live__panel live__panel--over' : 'live__panel'}
            data-window={asked === null ? 'vehicle' : 'map'}
          >
            <Splitter
              label={t('panel.resize')}
              edge="left"
              size={layout.panelWidth}
              {...PANE_LIMITS.panel}
              onSize={(size) => sizePane(preferences, 'panel', size)}
              onFold={() => foldPane(preferences, 'panel')}
            />
            {panel}
          </div>
        )}
      </div>
      <OpenIncidents />
      <div className="live__queue" data-window="queue">
        {!layout.queueFolded && (
          <Splitter
            label={t('queue.resize')}
            edge="top"
            size={layout.queueHeight}
            {...PANE_LIMITS.queue}
            onSize={(size) => sizePane(preferences, 'queue', size)}
            onFold={() => foldPane(preferences, 'queue')}
          />
        )}
        <Queue
          folded={layout.queueFolded}
          wide={layout.wideQueue}
          instruments={
            layout.full && (
              <>
                <ConnectionField />
                <Clock />
              </>
            )
          }
        />
      </div>
    </div>
  );
}

/** What is done on the map, as long as it takes: a geofence is drawn, or something is asked of a point. */
export function useMapPanel(): ReactNode {
  const { view } = useAppContext();
  const edit = useStore(view, (state) => state.geofenceEdit);
  const point = useStore(view, (state) => state.point);
  if (edit !== null) {
    return <geofencePanelPart.Part key={edit.kind === 'change' ? edit.geozoneId : 'new'} edit={edit} />;
  }
  return point === null ? null : <pointPanelPart.Part point={point} />;
}

const firstMap = (key: ViewKey): MapScreen => ({
  view: (app) => rememberedView(app.platform, key) ?? lastView(app),
  start(app, map) {
    const { point, vehicleId } = app.view.getState();
    const isNamed = point !== null || vehicleId !== null;
    const stopFirst = startFirstView(app, map);
    const undo = [
      startPointing(app, map),
      stopFirst,
      showStartView(app, !isNamed, stopFirst),
      map.camera.onView(() => rememberView(app.platform, map.camera.view(), key)),
    ];
    return () => undo.forEach((run) => run());
  },
});
const LIVE = firstMap('map.view');
const OWN_WINDOW = firstMap('map.window_view');

/** Looks where it looked last, at first where the other one looks. */
const SECOND: MapScreen = {
  isSecond: true,
  view: (app) => rememberedView(app.platform, 'map.second_view') ?? lastView(app),
  start(app, map) {
    const note = () => rememberView(app.platform, map.camera.view(), 'map.second_view');
    const undo = [startPointing(app, map), map.camera.onView(note)];
    return () => undo.forEach((run) => run());
  },
};

/** What is asked of a point of the map, and what is picked on it. Returns its end. */
function startPointing(app: AppContext, map: ConsoleMap): () => void {
  const drawPoint = ({ point, pointRadiusM }: LiveView) => {
    map.point.set(point);
    map.point.setRadius(pointRadiusM);
  };
  drawPoint(app.view.getState());
  if (app.map.drawing()?.drawing.isActive() !== true) resumeDrawing(app, map);
  const undo = [
    app.view.subscribe((state, before) => {
      if (state.point !== before.point || state.pointRadiusM !== before.pointRadiusM) drawPoint(state);
    }),
    map.onPick((pick) => {
      if (pick.kind === 'menu') openMapMenu(app, pick);
      else if (pick.kind !== 'vehicle')
        app.view.setState({ geozoneId: pick.kind === 'geofence' ? pick.id : null });
      else if (pick.adds) app.view.setState(toggled(app.view.getState(), pick.id));
      else showVehicle(app, pick.id);
    }),
    map.onFrame((frame) => {
      const inFrame = [...app.positions.all()].flatMap(([id, { fix }]) =>
        fix !== null && isInFrame(fix, frame) ? [id] : [],
      );
      selectVehicles(app, inFrame, frame.adds);
    }),
  ];
  return () => {
    undo.forEach((run) => run());
    if (!map.drawing.isActive()) return;
    // What is measured goes with its map; a geofence in hand goes on in the one that stays.
    const other = app.map.current();
    if (app.view.getState().measuring !== null) app.view.setState({ measuring: null });
    else if (other !== null) resumeDrawing(app, other);
  };
}

/** The menu of what is at a point of the map; by the key, of what is selected, else of the middle. */
function openMapMenu(app: AppContext, pick: Pick & { kind: 'menu' }): void {
  const { vehicleId: selectedId, selectedIds } = app.view.getState();
  const vehicleId = pick.byKey ? ([...selectedIds][0] ?? selectedId) : pick.vehicleId;
  if (vehicleId !== null) {
    openVehicleMenu(app, vehicleId, pick);
    return;
  }
  const geofence = app.geofences.store.getState().byId.get(pick.geozoneId ?? '');
  if (geofence !== undefined) app.view.setState({ geozoneId: geofence.geozone_id });
  openMenu(
    app,
    geofence === undefined ? 'place' : 'geofence',
    pick,
    geofence === undefined ? app.t('menu_of.place') : app.t('menu_of.geofence', { name: geofence.name }),
    pick,
  );
}

/** The map of the Live screen, and the second one that can stand beside or below it. */
export function LiveMaps({
  second,
  showsSelection,
}: {
  second: LiveLayout['secondMap'];
  /** No list beside it says which vehicles are selected. */
  showsSelection: boolean;
}) {
  const app = useAppContext();
  const { preferences } = app;
  const t = useT();
  const feed = useMemo(() => createMapFeed(app, false), [app]);
  const area = useRef<HTMLDivElement>(null);
  const { width, height } = useElementSize(area);
  const share = useStore(preferences, (state) => state.secondMap.share);
  const isBeside = second === 'beside';
  const whole = isBeside ? width : height;
  const limits = sizeOfSecondMap(whole, isBeside ? MAP_MIN.width : MAP_MIN.height, share);
  return (
    <div
      ref={area}
      className={`live-maps live-maps--${second ?? 'one'}`}
      style={{ '--second': `${limits.size}px` }}
    >
      <MapPane
        screen={app.windows.name === null ? LIVE : OWN_WINDOW}
        feed={feed}
        legend={
          second === null ? (
            <>
              <span>{t('map.vector')}</span>
              <span className="faint">·</span>
              <span>{t('map.dots')}</span>
            </>
          ) : undefined
        }
        chips={(map) => (
          <>
            <GeofenceChip />
            <MeasureChip map={map} />
            {showsSelection && <SelectionBar />}
          </>
        )}
      />
      {second !== null && whole > 0 && (
        <div className="live-maps__second">
          <Splitter
            label={t('map.second_resize')}
            edge={isBeside ? 'left' : 'top'}
            {...limits}
            onSize={(next) => preferences.setState({ secondMap: { open: true, share: next / whole } })}
            onFold={() => toggleSecondMap(preferences)}
          />
          <MapPane screen={SECOND} feed={feed} chips={(map) => <MeasureChip map={map} />} />
        </div>
      )}
    </div>
  );
}

/** One vehicle alone is shown with its town round it. */
const TOWN_ZOOM = 13;

/**
 * Where the map looks when the screen opens: at the point or the vehicle that the address names, else where it looked
 * last, else at all vehicles as soon as their places are known.
 */
function startFirstView(app: AppContext, map: ConsoleMap): () => void {
  const { point } = app.view.getState();
  if (point !== null) {
    map.camera.flyTo(point);
    return () => undefined;
  }
  const named = app.view.getState().vehicleId;
  if (named === null && rememberedView(app.platform) !== null) return () => undefined;
  let stopWaiting: () => void = () => undefined;

  const look = () => {
    if (named !== null) {
      if (app.positions.get(named)?.fix == null) return;
      locateSelected(app);
    } else {
      const places = [...app.vehicles.store.getState().byId.keys()].flatMap(
        (id) => app.positions.get(id)?.fix ?? [],
      );
      if (places.length === 0) return;
      const only = places.length === 1 ? places[0] : undefined;
      if (only === undefined) map.camera.fitAll(places);
      else map.camera.flyTo(only, TOWN_ZOOM);
    }
    stopWaiting();
  };
  const undo = [app.positions.onFrame(look), app.vehicles.store.subscribe(look)];
  stopWaiting = () => undo.forEach((run) => run());
  look();
  return () => stopWaiting();
}

/** The geofence that was picked on the map, and what can be done with it. */
function GeofenceChip() {
  const app = useAppContext();
  const t = useT();
  const editing = useStore(app.view, (state) => state.geofenceEdit !== null);
  const geozoneId = useStore(app.view, (state) => state.geozoneId);
  const geofence = useStore(app.geofences.store, (state) =>
    geozoneId === null ? null : state.byId.get(geozoneId),
  );
  if (geofence == null || editing) return null;
  return (
    <div className="map-chip map-chip--geofence">
      <span className="strong">{geofence.name}</span>
      {geofence.speed_limit_kmh !== null && (
        <span>{t('geofence.limit_is', { limit: formatSpeed(geofence.speed_limit_kmh) })}</span>
      )}
      <Button size="small" onPress={() => app.navigation.go('geofences', { id: geofence.geozone_id })}>
        {t('command.passed_here')}
      </Button>
      {mayDrawGeofences(app) && (
        <Button size="small" onPress={() => startEditing(app, geofence)}>
          {t('geofence.change')}
        </Button>
      )}
      <IconButton
        icon={X}
        size="small"
        label={t('ui.close')}
        onPress={() => app.view.setState({ geozoneId: null })}
      />
    </div>
  );
}
