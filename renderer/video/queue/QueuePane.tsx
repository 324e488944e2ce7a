import { Plus, SquarePlay } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand';
import type { Task } from '../../../server/contract/video.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../../appContext/useMoment.ts';
import { openMenu } from '../../commands/contextMenus.ts';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { Choice } from '../../ui/Select.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StaleBanner } from '../../ui/StaleBand.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { useEscape } from '../../ui/useEscape.ts';
import { useWindowSize } from '../../ui/useWindowSize.ts';
import { VehiclePicker } from '../../vehicles/VehiclePicker.tsx';
import { EvidenceDialog } from '../evidence/EvidenceDialog.tsx';
import { NoOrders } from '../requests/OrderList.tsx';
import { isUnderWay } from '../requests/qualities.ts';
import { useVideo } from '../useVideo.ts';
import { QueueBar } from './QueueBar.tsx';
import {
  EVERY_TASK,
  isRequested,
  readQueueFilter,
  writeQueueFilter,
  type QueueFilter,
  QUEUE_ASKERS,
  QUEUE_STATES,
} from './queueAddress.ts';
import { useQueueColumns } from './useQueueColumns.tsx';
import { type QueueLine, useFreshProfiles, useQueueLines } from './useQueueLines.ts';
import '../../ui/manage.css';
import './Queue.css';

const SKELETON = [
  [88, 140, 110, 48, 96, 40, 64, 120],
  [72, 140, 90, 48, 80, 40, 72, 96],
  [96, 140, 120, 48, 104, 40, 56, 140],
] as const;
/** Under this width of the window the table leaves out columns. */
const WIDE_PX = 1_360;

/** Every video that was asked for, with how far it is, who asked and why. */
export function QueuePane({
  query,
  onOpen,
  onOrder,
  onPlayer,
}: {
  query: Readonly<Record<string, string>>;
  onOpen: (taskId: string) => void;
  onOrder: () => void;
  onPlayer: () => void;
}) {
  const app = useAppContext();
  const video = useVideo();
  const t = useT();
  const byId = useStore(video.taskStore.store, (state) => state.byId);
  const { width } = useWindowSize();
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [exported, setExported] = useState<readonly Task[] | null>(null);
  const hasUpdates = useStore(
    video.many.store,
    ({ work, outcome }) => work !== null || (outcome?.failed ?? 0) > 0,
  );
  const since = useStore(video.taskStore.older, (older) => older.since);
  const filter = useMemo(() => readQueueFilter(query), [query]);
  const setFilter = useCallback(
    (part: Partial<QueueFilter>) => app.navigation.note(writeQueueFilter({ ...filter, ...part })),
    [app, filter],
  );
  useFreshProfiles();
  useEscape(exported === null, onPlayer);

  // What a link or an event brought from before the list goes back would stand there as if nothing lay between.
  const tasks = useMemo(
    () => [...byId.values()].filter((it) => since === null || it.created_at >= since),
    [byId, since],
  );
  const visible = useMemo(
    () => tasks.filter((it) => isRequested(it, filter, app.user.user_id)),
    [tasks, filter, app],
  );
  const lines = useQueueLines(visible);
  const columns = useQueueColumns(width < WIDE_PX);
  // Ticks stay with what is out of sight by a filter, and are counted for what is seen.
  const ticked = useMemo(() => visible.filter((it) => checked.has(it.task_id)), [visible, checked]);
  const underWay = tasks.filter(isUnderWay).length;

  return (
    <Pane
      name={t('tasks.title')}
      className="tasks"
      head={
        <>
          <h2>{t('tasks.title')}</h2>
          <span className="quiet">{formatNumber(tasks.length)}</span>
          {underWay > 0 && <span className="quiet">{t('tasks.under_way', { count: underWay })}</span>}
          <span className="fill" />
          <Button kind="quiet" size="small" icon={SquarePlay} keycap="Esc" onPress={onPlayer}>
            {t('tasks.player')}
          </Button>
          {video.mayOrder && (
            <Button kind="quiet" size="small" icon={Plus} keycap="V" onPress={onOrder}>
              {t('video_requests.order')}
            </Button>
          )}
        </>
      }
    >
      <StaleBanner>{t('video_requests.stale')}</StaleBanner>
      <QueueFilters filter={filter} onChange={setFilter} />
      {tasks.length === 0 ? (
        <NoOrders
          skeleton={
            <SkeletonRows
              className="tasks__skeleton"
              widths={SKELETON}
              rows={12}
              label={t('video_requests.loading')}
            />
          }
        />
      ) : visible.length === 0 ? (
        <Notice
          title={t('tasks.none')}
          actions={<Button onPress={() => setFilter(EVERY_TASK)}>{t('tasks.show_all')}</Button>}
        />
      ) : (
        <DataTable
          name={t('tasks.title')}
          columns={columns}
          rows={lines}
          keyOf={keyOf}
          onSelect={(line) => onOpen(line.task.task_id)}
          checked={checked}
          onCheck={setChecked}
          onMenu={({ task }, at) => {
            // What may be done with it is known once it is ticked.
            if (!checked.has(task.task_id)) flushSync(() => setChecked(new Set([task.task_id])));
            return openMenu(app, 'clips', at, t('tasks.title'));
          }}
          initialSort={NEWEST_FIRST}
          asked={JSON.stringify(filter)}
        />
      )}
      {ticked.length > 0 || hasUpdates ? (
        <QueueBar tasks={ticked} onEvidence={setExported} onClear={() => setChecked(new Set())} />
      ) : (
        <QueueFoot shown={visible.length} />
      )}
      {exported !== null && <EvidenceDialog tasks={exported} onClose={() => setExported(null)} />}
    </Pane>
  );
}

const keyOf = (line: QueueLine): string => line.task.task_id;
const NEWEST_FIRST = { id: 'ordered', desc: true };

/** What narrows the queue of videos. */
function QueueFilters({
  filter,
  onChange,
}: {
  filter: QueueFilter;
  onChange: (part: Partial<QueueFilter>) => void;
}) {
  const t = useT();
  return (
    <div className="tasks__filters" role="group" aria-label={t('tasks.filters')}>
      <Choice
        label={t('tasks.column.state')}
        value={filter.state}
        options={QUEUE_STATES.map((id) => ({ id, label: t(`tasks.state.${id}`) }))}
        onChange={(state) => onChange({ state })}
      />
      <VehiclePicker
        single
        label={t('list.column.vehicle')}
        value={filter.vehicleId === null ? [] : [filter.vehicleId]}
        onChange={([vehicleId]) => onChange({ vehicleId: vehicleId ?? null })}
      />
      <Choice
        label={t('tasks.column.asker')}
        value={filter.asker}
        options={QUEUE_ASKERS.map((id) => ({ id, label: t(`tasks.asker.${id}`) }))}
        onChange={(asker) => onChange({ asker })}
      />
      <Toggle
        label={t('tasks.important_only')}
        on={filter.important}
        onChange={(important) => onChange({ important })}
      />
    </div>
  );
}

/** How many tasks are shown and how far back they go; older ones are read when somebody wants them. */
function QueueFoot({ shown }: { shown: number }) {
  const t = useT();
  const time = useDepotTime();
  const { taskStore } = useVideo();
  const now = useNow();
  const { phase, since } = useStore(taskStore.older);
  return (
    <div className="pane__foot" role="status">
      <span>
        {since === null
          ? t('tasks.shown_all', { count: shown })
          : t('tasks.shown_since', { count: shown, time: time.moment(Date.parse(since), now) })}
      </span>
      {phase === 'failed' && <span>{t('tasks.older_failed')}</span>}
      {phase !== 'none' && (
        <Button size="small" disabled={phase === 'reading'} onPress={() => taskStore.readOlder()}>
          {t(phase === 'reading' ? 'tasks.older_reading' : 'tasks.older')}
        </Button>
      )}
    </div>
  );
}
