import { PanelLeftOpen } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { GeofencePanel } from '../geofences/GeofencePanel.tsx';
import { useT } from '../i18n/useT.ts';
import { PANE_LIMITS, type LiveLayout, foldPane, sizePane } from '../live/liveLayout.ts';
import { LiveMap } from '../live/LiveMap.tsx';
import { readLiveAddress } from '../live/liveActions.ts';
import { Queue } from '../notifications/Queue.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Splitter } from '../ui/Splitter.tsx';
import { VehicleList } from '../vehicles/VehicleList.tsx';
import { VehiclePanel } from '../vehicles/VehiclePanel.tsx';
import { VehicleStrip } from '../vehicles/StatusFilter.tsx';
import './LiveScreen.css';

/** The one screen: list, map, panel, and the queue under all three. */
export function LiveScreen({ layout }: { layout: LiveLayout }) {
  const app = useAppContext();
  const t = useT();
  const { preferences } = app;
  const vehicleId = useStore(app.view, (state) => state.vehicleId);
  const edit = useStore(app.view, (state) => state.geofenceEdit);
  const panelFolded = useStore(preferences, (state) => state.panes['panel']?.folded ?? false);
  useEffect(() => readLiveAddress(app), [app]);

  const panel =
    edit !== null ? (
      <GeofencePanel key={edit.kind === 'change' ? edit.geozoneId : 'new'} edit={edit} />
    ) : vehicleId !== null && !panelFolded ? (
      <VehiclePanel key={vehicleId} vehicleId={vehicleId} />
    ) : null;

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
        <div className="live__list">
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
        <div className="live__map">
          <LiveMap />
        </div>
        {panel !== null && (
          <div className={layout.panelOver ? 'live__panel live__panel--over' : 'live__panel'}>
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
      <div className="live__queue">
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
        <Queue folded={layout.queueFolded} wide={layout.wideQueue} />
      </div>
    </div>
  );
}
