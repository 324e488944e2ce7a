import { Ellipsis, Link as LinkIcon, X } from 'lucide-react';
import { useStore } from 'zustand';
import { meetsLevel } from '../../server/contract/rights.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { deselect, followSelected, orderVideoOfSelected } from '../live/liveActions.ts';
import { awaitingAck } from '../notifications/openRows.ts';
import { compareRows } from '../notifications/queueOrder.ts';
import { openTerminalCommands } from '../terminalCommands/openTerminalCommands.ts';
import { useLive } from '../telemetry/useLive.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { LastEvents } from './LastEvents.tsx';
import { OpenAlarm } from './OpenAlarm.tsx';
import { NoSuchVehicle } from './NoSuchVehicle.tsx';
import { TerminalFacts } from './TerminalFacts.tsx';
import { TodayChart } from './TodayChart.tsx';
import { useVehicleDay } from './useVehicleDay.ts';
import { VehicleNow } from './VehicleNow.tsx';
import './VehiclePanel.css';

/** The selected vehicle; the order of its parts is the order of need. */
export function VehiclePanel({ vehicleId }: { vehicleId: string }) {
  const { vehicles } = useAppContext();
  const vehicle = useStore(vehicles.store, (state) => state.byId.get(vehicleId));
  return vehicle === undefined ? <NoSuchVehicle /> : <KnownVehicle vehicle={vehicle} />;
}

function KnownVehicle({ vehicle }: { vehicle: Vehicle }) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const vehicleId = vehicle.vehicle_id;
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const followed = useStore(app.view, (state) => state.followedId === vehicleId);
  const live = useLive(vehicleId);
  const lost = useLostSince() !== null;
  const day = useVehicleDay(vehicleId);

  const { waiting } = useStore(app.acks.store);
  const { byId: snoozed } = useStore(app.snoozed);
  const waits = awaitingAck({ waiting, snoozed });
  const open = [...notifications.values()]
    .filter((it) => it.vehicle_id === vehicleId && it.severity !== 'info' && waits(it))
    .sort(compareRows);
  const { user } = app;
  const mayEdit = user.role === 'dealer' || meetsLevel(user.rights.vehicles, 'write');
  const about = [vehicle.type === null ? null : t(`vehicle.type.${vehicle.type}`), vehicle.driver]
    .filter((it) => it !== null && it !== '')
    .join(' · ');

  return (
    <section
      className="pane vehicle-panel"
      aria-label={t('panel.title', { name: vehicle.name })}
      data-pane
      tabIndex={-1}
    >
      <div className="vehicle-panel__head">
        <div className="fill">
          <div className="vehicle-panel__name">
            <h2 title={vehicle.name}>{vehicle.name}</h2>
            <span className="quiet">{vehicle.plate}</span>
          </div>
          <div className="quiet ellipsis" title={about}>
            {about}
          </div>
        </div>
        <IconButton
          icon={LinkIcon}
          label={t('panel.copy_link')}
          onPress={() => void app.platform.copyText(app.navigation.linkTo('live', { vehicle: vehicleId }))}
        />
        {mayEdit && (
          <MenuButton
            size="normal"
            label={t('panel.more')}
            entries={[
              {
                id: 'terminal_commands',
                label: t('terminal.command'),
                keycap: 'C',
                run: () => openTerminalCommands(app, vehicleId),
              },
              {
                id: 'edit',
                label: t('panel.edit'),
                disabled: lost,
                run: () => app.view.setState({ overlay: 'edit_vehicle' }),
              },
            ]}
          >
            <Icon of={Ellipsis} />
          </MenuButton>
        )}
        <IconButton icon={X} label={t('ui.close')} keycap="Esc" onPress={() => deselect(app)} />
      </div>
      <StaleBanner>{t('panel.stale')}</StaleBanner>
      <div className="vehicle-panel__body" tabIndex={0} role="group" aria-label={vehicle.name}>
        <VehicleNow vehicle={vehicle} live={live} now={now} lost={lost} />
        {open[0] !== undefined && <OpenAlarm notification={open[0]} others={open.length - 1} />}
        <div className="vehicle-panel__section vehicle-panel__actions">
          <Button keycap="F" disabled={live?.fix == null} onPress={() => followSelected(app)}>
            {followed ? t('panel.unfollow') : t('panel.follow')}
          </Button>
          {app.video.mayOrder && (
            <Button keycap="V" disabled={lost} onPress={() => void orderVideoOfSelected(app)}>
              {t('queue.video')}
            </Button>
          )}
        </div>
        <TodayChart day={day} vehicle={vehicle} />
        <LastEvents day={day} />
        <TerminalFacts vehicle={vehicle} live={live} />
      </div>
    </section>
  );
}
