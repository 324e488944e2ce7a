import { Link2, Unlink2 } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { ContextMenuHost } from '../commands/ContextMenuHost.tsx';
import { useT } from '../i18n/useT.ts';
import { OpenIncidents } from '../incidents/OpenIncidents.tsx';
import { readLiveAddress, showFullMap } from '../live/liveActions.ts';
import { isWideQueue } from '../live/liveLayout.ts';
import { canOpen } from '../navigation/navigation.ts';
import { Queue } from '../notifications/Queue.tsx';
import { FileDrop } from '../openFiles/FileDrop.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import { ToastRegion } from '../ui/ToastRegion.tsx';
import { useWindowSize } from '../ui/useWindowSize.ts';
import { VehicleList } from '../vehicles/VehicleList.tsx';
import { VehiclePanel } from '../vehicles/VehiclePanel.tsx';
import { isPane, type PaneName, type ScreenWindow } from '../windows/windowNames.ts';
import { HealthBanner } from './HealthBanner.tsx';
import { LiveMaps, useMapPanel } from './LiveScreen.tsx';
import { fetchParts } from './laterPart.tsx';
import { LIVE_PARTS, OpenOverlay, useShortcuts } from './liveParts.tsx';
import { ScreenOf } from './ScreenOf.tsx';
import { Instruments } from './TopBar.tsx';
import './PaneWindow.css';

/** One pane or one screen of the console in a window of its own. */
export function PaneWindow({ name }: { name: PaneName | ScreenWindow }) {
  const app = useAppContext();
  const depot = useStore(app.settings, (state) => state.settings?.depot_name ?? '');
  const fullMap = useStore(app.view, (state) => state.fullMap);
  useShortcuts(app);
  useEffect(() => fetchParts(LIVE_PARTS, app.clock), [app]);
  useEffect(() => app.platform.onScreenLeft(() => showFullMap(app, false)), [app]);
  return (
    <div className="pane-window">
      {!fullMap && (
        <header className="window-bar">
          {/* What it shows, the head of the pane says. */}
          <h1 className="ellipsis" title={depot}>
            {depot}
          </h1>
          {isPane(name) && <FollowSelection />}
          <span className="fill" />
          <Instruments />
        </header>
      )}
      <HealthBanner />
      <main className="pane-window__pane">
        {isPane(name) ? <LivePane name={name} /> : <Screen name={name} />}
      </main>
      <OpenOverlay />
      <ContextMenuHost />
      <FileDrop />
      <ToastRegion store={app.toasts} />
    </div>
  );
}

function FollowSelection() {
  const { windows } = useAppContext();
  const t = useT();
  const follows = useStore(windows.store, (state) => state.followsSelection);
  return (
    <IconButton
      icon={follows ? Link2 : Unlink2}
      label={t('window.follow_selection')}
      pressed={follows}
      onPress={() => windows.followSelection(!follows)}
    />
  );
}

function LivePane({ name }: { name: PaneName }) {
  const app = useAppContext();
  const { width } = useWindowSize();
  useEffect(() => readLiveAddress(app), [app]);
  switch (name) {
    case 'map':
      return <MapWindow />;
    case 'queue':
      return (
        <div className="pane-window__queue">
          <OpenIncidents />
          <Queue folded={false} wide={isWideQueue(width)} />
        </div>
      );
    case 'list':
      return <VehicleList />;
    case 'vehicle':
      return <SelectedVehicle />;
  }
}

function MapWindow() {
  const panel = useMapPanel();
  return (
    <>
      <div className="live__map">
        <LiveMaps second={null} showsSelection />
      </div>
      {panel !== null && <div className="pane-window__side">{panel}</div>}
    </>
  );
}

function SelectedVehicle() {
  const app = useAppContext();
  const t = useT();
  const vehicleId = useStore(app.view, (state) => state.vehicleId);
  if (vehicleId !== null) return <VehiclePanel key={vehicleId} vehicleId={vehicleId} />;
  return <Notice title={t('window.no_vehicle')}>{t('window.no_vehicle_how')}</Notice>;
}

function Screen({ name }: { name: ScreenWindow }) {
  const { user } = useAppContext();
  const t = useT();
  if (!canOpen(user, name)) return <Notice title={t('window.no_access')} />;
  return <ScreenOf place={name} />;
}
