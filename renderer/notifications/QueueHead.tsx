import { useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { Bell, ChevronDown, ChevronUp, Volume2, VolumeX } from 'lucide-react';
import type { Notification } from '../../server/contract/notifications.ts';
import { queueGroupings } from '../../server/contract/preferences.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { foldPane } from '../live/liveLayout.ts';
import { mayWrite } from '../navigation/navigation.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Choice } from '../ui/Select.tsx';
import { OwnWindowButton } from '../windows/OwnWindowButton.tsx';
import { QueueFilterMenu } from './QueueFilterMenu.tsx';
import { QueueViewMenu } from './QueueViewMenu.tsx';
import { checkAll, clearChecked, filterQueue, isFiltering, passes, showList } from './queueView.ts';
import { NO_FILTER } from './queueViewStore.ts';

/** How many wait, which list is shown, and what is done with all of it. */
export function QueueHead({
  open,
  quiet,
  taken,
  folded,
  instruments = false,
}: {
  open: readonly Notification[];
  quiet: number;
  taken: number;
  folded: boolean;
  instruments?: ReactNode;
}) {
  const app = useAppContext();
  const t = useT();
  const sound = useStore(app.preferences, (state) => state.sound);
  const list = useStore(app.queueView, (state) => state.list);
  const filter = useStore(app.queueView, (state) => state.filter);
  const groupBy = useStore(app.queueView, (state) => state.groupBy);
  const checkedIds = useStore(app.queueView, (state) => state.checked);
  const byId = useStore(app.notifications.store, (state) => state.byId);
  const waiting = useStore(app.acks.store, (state) => state.waiting);
  // Others may have acknowledged some meanwhile.
  const checked = [...checkedIds].filter((id) => byId.get(id)?.state === 'open' && !waiting.has(id)).length;
  const progress = useStore(app.acks.store, (state) => state.progress);
  const [permission, setPermission] = useState(() => app.platform.notifyPermission());
  const count = (severity: Notification['severity']) => open.filter((it) => it.severity === severity).length;
  const hidden = useMemo(() => open.filter((it) => !passes(filter)(it)), [open, filter]);
  const alarms = count('alarm');
  const warnings = count('warning');
  const mayAct = mayWrite(app.user, 'notifications');
  const acknowledgeMany = () => app.view.setState({ overlay: 'note' });

  return (
    <>
      <h2>{t('queue.title')}</h2>
      {alarms > 0 && <span className="in-alarm strong">{t('queue.alarms', { count: alarms })}</span>}
      {warnings > 0 && <span className="in-warning strong">{t('queue.warnings', { count: warnings })}</span>}
      {!folded && isFiltering(filter) && (
        <>
          <span
            className={hidden.some((it) => it.severity === 'alarm') ? 'in-alarm strong' : 'quiet'}
            role="status"
          >
            {t('queue.filter_hidden', { count: hidden.length })}
          </span>
          <Button size="small" onPress={() => filterQueue(app, NO_FILTER)}>
            {t('queue.filter_clear')}
          </Button>
        </>
      )}
      {list === 'open' && !folded && quiet > 0 && (
        <Button size="small" kind="quiet" keycap="U" onPress={() => showList(app, 'quiet')}>
          {t('queue.quiet', { count: quiet })}
        </Button>
      )}
      {list === 'open' && !folded && taken > 0 && (
        <Button size="small" kind="quiet" onPress={() => showList(app, 'acknowledged')}>
          {t('queue.acknowledged_today', { count: taken })}
        </Button>
      )}
      {list !== 'open' && (
        <Button size="small" onPress={() => showList(app, 'open')}>
          {t('queue.show_open')}
        </Button>
      )}
      {progress !== null ? (
        <span className="quiet" role="status">
          {t('queue.acknowledging', progress)}
        </span>
      ) : checked > 0 && mayAct ? (
        <>
          <Button size="small" kind="primary" keycap="A" onPress={acknowledgeMany}>
            {t('queue.acknowledge_many', { count: checked })}
          </Button>
          <Button size="small" kind="quiet" onPress={() => clearChecked(app)}>
            {t('bulk.clear')}
          </Button>
        </>
      ) : (
        list === 'quiet' &&
        quiet > 0 &&
        mayAct && (
          <Button
            size="small"
            onPress={() => {
              checkAll(app);
              acknowledgeMany();
            }}
          >
            {t('queue.acknowledge_all')}
          </Button>
        )
      )}
      <span className="fill" />
      {list === 'open' && !folded && (
        <Choice
          quiet
          label={t('queue.group_by')}
          value={groupBy}
          options={queueGroupings.map((id) => ({ id, label: t(`queue.group_by.${id}`) }))}
          onChange={(chosen) =>
            app.queueView.setState({ groupBy: chosen, groupKey: null, folded: new Set() })
          }
        />
      )}
      {!folded && <QueueFilterMenu />}
      {!folded && <QueueViewMenu />}
      {permission === 'not_asked' && (
        <Button
          size="small"
          kind="quiet"
          icon={Bell}
          onPress={() => void app.platform.askToNotify().then(setPermission)}
        >
          {t('queue.notify_here')}
        </Button>
      )}
      <Button
        size="small"
        kind="quiet"
        icon={sound ? Volume2 : VolumeX}
        onPress={() => app.preferences.setState({ sound: !sound })}
      >
        {sound ? t('queue.sound_on') : t('queue.sound_off')}
      </Button>
      <OwnWindowButton of="queue" />
      {instruments === false && app.windows.name === null ? (
        <IconButton
          icon={folded ? ChevronUp : ChevronDown}
          size="small"
          label={folded ? t('queue.unfold') : t('queue.fold')}
          keycap="\"
          onPress={() => foldPane(app.preferences, 'queue')}
        />
      ) : (
        instruments
      )}
    </>
  );
}
