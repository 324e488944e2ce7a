import { memo, type MouseEvent } from 'react';
import { useStore } from 'zustand';
import { Ellipsis } from 'lucide-react';
import type { Notification } from '../../server/contract/notifications.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { driverOf } from '../drivers/currentDriver.ts';
import { driverText } from '../drivers/DriverName.tsx';
import { useT } from '../i18n/useT.ts';
import { openIncidentOfAlarm } from '../incidents/incidentActions.ts';
import { IncidentLink } from '../incidents/OpenIncidents.tsx';
import { incidentOf } from '../incidents/openIncidents.ts';
import { acknowledge, orderVideoOf, showNotification } from '../live/liveActions.ts';
import { openAlarmMenu } from '../commands/contextMenus.ts';
import { useMenuRequests } from '../ui/ContextMenu.tsx';
import { Button } from '../ui/Button.tsx';
import { Age, TimeOfDay } from '../ui/Moment.tsx';
import { SeverityMark, severityTone } from '../ui/SeverityMark.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { type SnoozedState, formatSnooze } from './snoozes.ts';
import { useAlarmWords } from './alarmLabels.ts';
import { EscalationNote } from './EscalationNote.tsx';
import { checkRow, clearChecked, meanRow } from './queueView.ts';
import { VideoCell } from './VideoCell.tsx';
import type { Overlay } from '../live/liveView.ts';
import { Icon } from '../ui/Icon.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { mayWrite } from '../navigation/navigation.ts';
import { maySeePassages, momentOf, showPassages } from '../points/mapPoint.ts';

function DrawnRow({
  notification,
  wide,
  lost,
  snoozed = null,
}: {
  notification: Notification;
  wide: boolean;
  lost: boolean;
  /** Why it keeps still; null for a row that waits. */
  snoozed?: SnoozedState | null;
}) {
  const app = useAppContext();
  const t = useT();
  const id = notification.notification_id;
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(notification.vehicle_id ?? ''));
  const name = useVehicleName(notification.vehicle_id);
  const selected = useStore(app.view, (state) => state.notificationId === id);
  const checked = useStore(app.queueView, (state) => state.checked.has(id));
  const lit = useStore(app.arrivals, (state) => state.byId.has(id));
  const unsent = useStore(app.acks.store, (state) => state.waiting.has(id));
  const names = useStore(app.userNames, (state) => state.byId);
  useStore(app.places.edition, (state) => state.number);

  const mayAcknowledge = mayWrite(app.user, 'notifications');
  const time = useDepotTime();
  // A row that waits needs no clock of its own.
  const now = useStore(app.serverTime.ticks, (state) => (snoozed === null ? 0 : state.now));
  const words = useAlarmWords(notification);
  const { lat, lon, severity, ack } = notification;
  const place = lat === null || lon === null ? '' : app.places.at(lat, lon);
  const requests = useMenuRequests((at) => openAlarmMenu(app, notification, at));
  const litClass = lit ? ` queue-row--lit-${severity}` : '';

  const pick = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): void => {
    if (mayAcknowledge && (ctrlKey || metaKey || shiftKey)) {
      checkRow(app, id, shiftKey ? 'range' : 'toggle');
      return;
    }
    clearChecked(app);
    showNotification(app, notification);
  };

  return (
    <div
      role="listitem"
      className={`queue-row${litClass}`}
      aria-current={selected}
      data-checked={checked || undefined}
      onMouseDown={(event) => {
        // A range of rows is meant, not one of text.
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={pick}
      onDoubleClick={() => showNotification(app, notification, { locate: true })}
      {...requests}
    >
      <SeverityMark severity={severity} />
      {checked && <span className="queue-row__checked">{t('queue.row_checked')}</span>}
      <TimeOfDay at={Date.parse(notification.last_time)} />
      <span className="quiet to-right queue-row__age">
        <Age since={Date.parse(notification.first_time)} short />
      </span>
      <span className="strong ellipsis" title={name}>
        {name}
      </span>
      <span className={`strong queue-row__kind ${severityTone(severity)}`} title={notification.rule_name}>
        <span className="ellipsis">{words.kind}</span>
        <IncidentLink notificationId={id} />
        {notification.count > 1 && (
          <span className="queue-row__count" title={t('queue.times', { count: notification.count })}>
            ×{notification.count}
          </span>
        )}
      </span>
      <span className="queue-row__what">
        <span className="ellipsis" title={words.what}>
          {words.what}
          {notification.late && <span className="quiet"> · {t('queue.late')}</span>}
        </span>
        <EscalationNote notification={notification} onPress={() => openOf(app, notification, 'why')} />
      </span>
      <span className="quiet ellipsis queue-row__place" title={place}>
        {place}
      </span>
      {wide && (
        <span className="quiet ellipsis">
          {vehicle !== undefined && driverText(vehicle, t)}{' '}
          <span className="queue-row__phone">{vehicle !== undefined && driverOf(vehicle)?.phone}</span>
        </span>
      )}
      {unsent ? (
        <span className="queue-row__unsent quiet small">{t('queue.not_sent')}</span>
      ) : ack !== null ? (
        <span className="queue-row__unsent quiet small ellipsis" title={ack.note ?? undefined}>
          {t('queue.taken_by', { user: names.get(ack.user_id) ?? t('user.another') })}{' '}
          <TimeOfDay at={Date.parse(ack.at)} />
        </span>
      ) : snoozed !== null ? (
        <span className="queue-row__unsent queue-row__shelf">
          <span className="quiet small ellipsis">{formatSnooze(snoozed, { t, time, names, now })}</span>
          <RowMenu notification={notification} />
        </span>
      ) : (
        <>
          <VideoCell notification={notification} />
          <span className={`queue-row__actions${selected ? ' queue-row__actions--on' : ''}`}>
            {mayAcknowledge && (
              <RowAction
                label={t('queue.acknowledge')}
                keycap="A"
                on={selected}
                run={() => acknowledge(app, id, null)}
              />
            )}
            {notification.vehicle_id !== null && (
              <RowAction
                label={t('queue.locate')}
                keycap="L"
                on={selected}
                run={() => showNotification(app, notification, { locate: true })}
              />
            )}
            {app.video.mayOrder && notification.vehicle_id !== null && (
              <RowAction
                label={t('queue.video')}
                keycap="V"
                on={selected}
                disabled={lost}
                run={() => void orderVideoOf(app, notification)}
              />
            )}
            <RowMenu notification={notification} />
          </span>
        </>
      )}
    </div>
  );
}

/** Drawn anew only when the row itself changes, not when others come or go. */
export const QueueRow = memo(DrawnRow);

function RowAction({
  label,
  keycap,
  on,
  disabled = false,
  run,
}: {
  label: string;
  keycap: string;
  /** The row is selected: the key works. */
  on: boolean;
  disabled?: boolean;
  run: () => void;
}) {
  return (
    <Button size="small" kind="plain" keycap={on ? keycap : null} disabled={disabled} onPress={run}>
      {label}
    </Button>
  );
}

/** Opens what is of one row, whatever else is checked. */
function openOf(app: AppContext, notification: Notification, overlay: Overlay): void {
  meanRow(app, notification.notification_id);
  showNotification(app, notification);
  app.view.setState({ overlay });
}

/** The rarer commands of a row of the queue. */
function RowMenu({ notification }: { notification: Notification }) {
  const app = useAppContext();
  const t = useT();
  const open = (overlay: Overlay) => () => openOf(app, notification, overlay);
  const moment = momentOf(notification);
  const known = useStore(app.incidents.store, ({ byId }) => incidentOf(byId, notification.notification_id));
  return (
    <MenuButton
      label={t('queue.more')}
      entries={[
        ...(mayWrite(app.user, 'notifications')
          ? [
              {
                id: 'note',
                label: t('command.acknowledge_with_note'),
                keycap: 'Shift A',
                run: open('note'),
              },
              { id: 'snooze', label: t('command.snooze'), keycap: 'Z', run: open('snooze') },
            ]
          : []),
        ...(known !== undefined || mayWrite(app.user, 'notifications')
          ? [
              {
                id: 'incident',
                label:
                  known === undefined
                    ? t('command.open_incident')
                    : t('incident.show', { number: known.number }),
                keycap: 'I',
                run: () => {
                  showNotification(app, notification);
                  openIncidentOfAlarm(app, notification);
                },
              },
            ]
          : []),
        { id: 'why', label: t('command.why'), keycap: 'W', run: open('why') },
        ...(moment !== null && maySeePassages(app)
          ? [{ id: 'passed_here', label: t('command.passed_here'), run: () => showPassages(app, moment) }]
          : []),
      ]}
    >
      <Icon of={Ellipsis} />
    </MenuButton>
  );
}
