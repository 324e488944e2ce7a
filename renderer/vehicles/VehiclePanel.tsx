import { Check, Ellipsis, Link as LinkIcon, X } from 'lucide-react';
import { useStore } from 'zustand';
import { useState } from 'react';
import { meetsLevel } from '../../server/contract/rights.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince, useNow } from '../appContext/useMoment.ts';
import { DriverContact, driverText } from '../drivers/DriverName.tsx';
import { openHistory } from '../history/historyActions.ts';
import { askForIncident } from '../incidents/incidentActions.ts';
import { mayWrite } from '../navigation/navigation.ts';
import { useT } from '../i18n/useT.ts';
import { deselect, followSelected, orderVideoOfSelected, showNotification } from '../live/liveActions.ts';
import { awaitingAck } from '../notifications/openRows.ts';
import { compareRows } from '../notifications/queueOrder.ts';
import { openVehicleDialog } from './vehicleDialogs.ts';
import { useLive, usePlace } from '../telemetry/useLive.ts';
import { MissingPanel } from '../resources/SidePanel.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { TodayChart } from './TodayChart.tsx';
import { useVehicleDay, type VehicleDay } from './useVehicleDay.ts';
import { formatAge } from '../format/age.ts';
import { formatCourse } from '../format/compass.ts';
import { formatKilometres, formatLength, formatNumber, formatSpeed, speedNumber } from '../format/numbers.ts';
import { unitSign } from '../format/units.ts';
import type { LivePosition } from '../telemetry/positionStore.ts';
import { TimeOfDay } from '../ui/Moment.tsx';
import type { Notification } from '../../server/contract/notifications.ts';
import { asSentence } from '../format/inSentence.ts';
import { useAlarmWords, eventWords } from '../notifications/alarmLabels.ts';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { severityOfEvent } from './EventMarks.tsx';
import { OwnWindowButton } from '../windows/OwnWindowButton.tsx';
import { shareLink } from '../navigation/appLinks.ts';
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
  const followed = useStore(app.view, (state) => state.followedIds.includes(vehicleId));
  const live = useLive(vehicleId);
  const lost = useLostSince() !== null;
  const day = useVehicleDay(vehicleId);

  const { waiting } = useStore(app.acks.store);
  const { byId: snoozed } = useStore(app.snoozed);
  const waits = awaitingAck({ waiting, snoozed });
  const open = [...notifications.values()]
    .filter((it) => it.vehicle_id === vehicleId && waits(it))
    .sort(compareRows);
  const { user } = app;
  const mayWork = mayWrite(user, 'notifications');
  const mayEdit = user.role === 'dealer' || meetsLevel(user.rights.vehicles, 'write');
  const about = [vehicle.type === null ? null : t(`vehicle.type.${vehicle.type}`), driverText(vehicle, t)]
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
          onPress={() => void app.platform.copyText(shareLink(app, 'live', { vehicle: vehicleId }))}
        />
        {(mayEdit || mayWork) && (
          <MenuButton
            size="normal"
            label={t('panel.more')}
            entries={[
              ...(mayWork
                ? [
                    {
                      id: 'incident',
                      label: t('command.open_incident'),
                      keycap: 'I',
                      disabled: lost,
                      run: () =>
                        askForIncident(app, { vehicleId, at: null, place: null, title: vehicle.name }),
                    },
                  ]
                : []),
              ...(mayEdit
                ? [
                    {
                      id: 'terminal_commands',
                      label: t('terminal.command'),
                      keycap: 'C',
                      run: () => openVehicleDialog(app, 'terminal_commands', vehicleId),
                    },
                    {
                      id: 'share_vehicle',
                      label: t('command.share_vehicle'),
                      keycap: 'Shift S',
                      disabled: lost,
                      run: () => openVehicleDialog(app, 'share_vehicle', vehicleId),
                    },
                    {
                      id: 'edit',
                      label: t('panel.edit'),
                      disabled: lost,
                      run: () => app.view.setState({ overlay: 'edit_vehicle' }),
                    },
                  ]
                : []),
            ]}
          >
            <Icon of={Ellipsis} />
          </MenuButton>
        )}
        <OwnWindowButton of="vehicle" size="normal" />
        <IconButton icon={X} label={t('ui.close')} keycap="Esc" onPress={() => deselect(app)} />
      </div>
      <StaleBanner>{t('panel.stale')}</StaleBanner>
      <div className="vehicle-panel__body" tabIndex={0} role="group" aria-label={vehicle.name}>
        <VehicleNow vehicle={vehicle} live={live} now={now} lost={lost} />
        <DriverContact vehicle={vehicle} mayAdd={mayEdit && !lost} />
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
          <Button keycap="H" disabled={lost} onPress={() => openHistory(app, vehicleId)}>
            {t('history.title')}
          </Button>
        </div>
        <TodayChart day={day} vehicle={vehicle} />
        <LastEvents day={day} />
        <TerminalFacts vehicle={vehicle} live={live} />
      </div>
    </section>
  );
}

/** The one speed readout, with how old it is. */
function VehicleNow({
  vehicle,
  live,
  now,
  lost,
}: {
  vehicle: Vehicle;
  live: LivePosition | undefined;
  now: number;
  lost: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const status = useStore(app.statuses, (state) => state.byVehicle.get(vehicle.vehicle_id) ?? 'never');
  const place = usePlace(vehicle.vehicle_id);
  if (live === undefined) {
    return (
      <div className="vehicle-panel__section">
        <p className="strong">{t('panel.never')}</p>
        <p className="quiet">{t('panel.never_how', { terminal: vehicle.terminal_id })}</p>
      </div>
    );
  }
  const position = live.fix ?? live.last;
  const at = Date.parse(position.time);
  return (
    <div className={`vehicle-panel__section${lost ? ' hatch' : ''}`}>
      <div className="vehicle-now">
        <span className="vehicle-now__speed">
          {position.speed_kmh === null ? '–' : speedNumber(position.speed_kmh)}
        </span>
        <span className="quiet">{unitSign('speed')}</span>
        {position.course_deg !== null && status === 'moving' ? (
          <span className="vehicle-now__course quiet">{formatCourse(position.course_deg)}</span>
        ) : (
          <span className="vehicle-now__course quiet">{t(`status.${status}`)}</span>
        )}
        <span className="fill" />
        <span className="strong">{t('time.ago', { age: formatAge(now - at) })}</span>
      </div>
      <div className="vehicle-now__place quiet">
        <span className="ellipsis" title={place}>
          {place}
        </span>
        <TimeOfDay at={at} withDate />
      </div>
      {live.fix !== live.last && (
        <p className="quiet small">{t('panel.no_fix', { age: formatAge(now - live.contactAt) })}</p>
      )}
    </div>
  );
}

/** The gravest open alarm of a vehicle, with its numbers and its rule. */
function OpenAlarm({ notification, others }: { notification: Notification; others: number }) {
  const app = useAppContext();
  const t = useT();
  const words = useAlarmWords(notification);
  const spanMs = Date.parse(notification.last_time) - Date.parse(notification.first_time);
  const title =
    notification.count > 1
      ? t('panel.alarm_times', { kind: words.kind, number: notification.count, age: formatAge(spanMs) })
      : words.kind;
  return (
    <div className={`vehicle-panel__section open-alarm open-alarm--${notification.severity}`}>
      <SeverityMark severity={notification.severity} />
      <div className="fill">
        <div className="open-alarm__title">{title}</div>
        <div className="open-alarm__words">
          {t('panel.alarm_rule', { what: asSentence(words.what), rule: notification.rule_name })}
          {others > 0 && ` ${t('panel.alarm_others', { count: others })}`}
        </div>
      </div>
      <Button
        size="small"
        keycap="W"
        label={t('command.why')}
        onPress={() => {
          showNotification(app, notification);
          app.view.setState({ overlay: 'why' });
        }}
      >
        {t('panel.why')}
      </Button>
    </div>
  );
}

const SHOWN = 11;

/** What happened to the vehicle today, newest first. */
function LastEvents({ day }: { day: VehicleDay }) {
  const app = useAppContext();
  const t = useT();
  const [all, setAll] = useState(false);
  const notifications = useStore(app.notifications.store, (state) => state.byId);
  const { events } = day;
  return (
    <div className="vehicle-panel__section">
      <div className="vehicle-panel__title">
        <h3>{t('panel.events')}</h3>
        {events.length > SHOWN && (
          <Button size="small" kind="quiet" onPress={() => setAll(!all)}>
            {all ? t('panel.events_fewer') : t('panel.events_all', { number: events.length })}
          </Button>
        )}
      </div>
      <KnownOfEvents day={day} />
      <ul>
        {(all ? events : events.slice(0, SHOWN)).map((event) => {
          const words = eventWords(event, app);
          const acknowledged = [...notifications.values()].some(
            (it) => it.state === 'acknowledged' && it.event_ids.includes(event.event_id),
          );
          const text = event.kind === 'overspeed' ? `${words.kind} ${words.short}` : sentence(words.short);
          return (
            <li key={event.event_id} className="journal-row">
              <span className="quiet">
                <TimeOfDay at={Date.parse(event.time)} />
              </span>
              <SeverityMark severity={severityOfEvent(event, notifications.values())} />
              <span className="ellipsis" title={text}>
                {text}
              </span>
              {acknowledged && (
                <span className="faint" title={t('queue.acknowledged')}>
                  <Icon of={Check} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** What the list of today's events does not show: that there were none, or that nobody here can know. */
function KnownOfEvents({ day: { events, load } }: { day: VehicleDay }) {
  const t = useT();
  const time = useDepotTime();
  const lostSince = useLostSince();
  if (load.phase === 'failed') {
    return <p className="quiet">{t(events.length === 0 ? 'panel.events_failed' : 'panel.events_partial')}</p>;
  }
  if (events.length > 0 || load.phase === 'loading') return null;
  return (
    <p className="quiet">
      {lostSince === null
        ? t('panel.events_none')
        : t('panel.events_none_until', { time: time.clock(lostSince) })}
    </p>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the terminal says of itself and the vehicle; what it does not say is left out. */
function TerminalFacts({ vehicle, live }: { vehicle: Vehicle; live: LivePosition | undefined }) {
  const t = useT();
  const last = live?.last;
  const power = last?.attributes['power'] ?? last?.attributes['power_v'];
  const fix = [
    last?.satellites == null ? null : t('fact.satellites', { count: last.satellites }),
    last?.hdop == null ? null : t('fact.hdop', { value: formatNumber(last.hdop, 1) }),
  ].filter((it) => it !== null);
  const facts: [string, string | null][] = [
    [t('fact.ignition'), last?.ignition == null ? null : last.ignition ? t('fact.on') : t('fact.off')],
    [t('fact.supply'), typeof power === 'number' ? `${formatNumber(power, 1)} V` : null],
    [t('fact.battery'), last?.battery_pct == null ? null : `${formatNumber(last.battery_pct)} %`],
    [t('fact.odometer'), last?.odometer_m == null ? null : formatKilometres(last.odometer_m)],
    [t('fact.altitude'), last?.altitude_m == null ? null : formatLength(last.altitude_m)],
    [t('fact.fix'), fix.length === 0 ? null : fix.join(', ')],
    [t('fact.limit'), vehicle.speed_limit_kmh === null ? null : formatSpeed(vehicle.speed_limit_kmh)],
    [t('fact.phone'), vehicle.phone],
    [t('fact.vin'), vehicle.vin],
    [t('fact.terminal'), vehicle.terminal_id],
  ];
  return <Facts className="vehicle-panel__section vehicle-panel__section--last" facts={facts} />;
}

/** In place of the panel when an address names a vehicle that is not there, or is still to be read. */
function NoSuchVehicle() {
  const app = useAppContext();
  const t = useT();
  const load = useStore(app.vehicles.store, (state) => state.load);
  return (
    <MissingPanel
      className="pane"
      label={t('list.column.vehicle')}
      load={load}
      title={t('panel.no_vehicle')}
      onClose={() => deselect(app)}
    >
      {t('panel.no_vehicle_how')}
    </MissingPanel>
  );
}
