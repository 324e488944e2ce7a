import { Plus, SquarePlay } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Task } from '../../../server/contract/video.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { numberText } from '../../format/numbers.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pane } from '../../ui/Pane.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StaleBand } from '../../ui/StaleBand.tsx';
import { useEscape } from '../../ui/useEscape.ts';
import { useWindowSize } from '../../ui/useWindowSize.ts';
import { EvidenceDialog } from '../evidence/EvidenceDialog.tsx';
import { NoOrders } from '../orders/NoOrders.tsx';
import { isUnderWay } from '../orders/qualities.ts';
import { useVideo } from '../useVideo.ts';
import { EVERY_TASK, isWished, readQueueWish, writeQueueWish, type QueueWish } from './queueAddress.ts';
import { QueueBar } from './QueueBar.tsx';
import { QueueFilters } from './QueueFilters.tsx';
import { QueueFoot } from './QueueFoot.tsx';
import type { QueueLine } from './queueLine.ts';
import { useQueueColumns } from './useQueueColumns.tsx';
import { useFreshProfiles, useQueueLines } from './useQueueLines.ts';
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
  const desk = useDesk();
  const video = useVideo();
  const say = useText();
  const byId = useStore(video.taskStore.store, (state) => state.byId);
  const { width } = useWindowSize();
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [exported, setExported] = useState<readonly Task[] | null>(null);
  const hasNews = useStore(
    video.many.store,
    ({ work, outcome }) => work !== null || (outcome?.failed ?? 0) > 0,
  );
  const since = useStore(video.taskStore.older, (older) => older.since);
  const wish = useMemo(() => readQueueWish(query), [query]);
  const setWish = useCallback(
    (part: Partial<QueueWish>) => desk.navigation.note(writeQueueWish({ ...wish, ...part })),
    [desk, wish],
  );
  useFreshProfiles();
  useEscape(exported === null, onPlayer);

  // What a link or an event brought from before the list goes back would stand there as if nothing lay between.
  const tasks = useMemo(
    () => [...byId.values()].filter((it) => since === null || it.created_at >= since),
    [byId, since],
  );
  const shown = useMemo(
    () => tasks.filter((it) => isWished(it, wish, desk.user.user_id)),
    [tasks, wish, desk],
  );
  const lines = useQueueLines(shown);
  const columns = useQueueColumns(width < WIDE_PX);
  // Ticks stay with what is out of sight by a filter, and are counted for what is seen.
  const ticked = useMemo(() => shown.filter((it) => checked.has(it.task_id)), [shown, checked]);
  const underWay = tasks.filter(isUnderWay).length;

  return (
    <Pane
      name={say('tasks.title')}
      className="tasks"
      head={
        <>
          <h2>{say('tasks.title')}</h2>
          <span className="quiet">{numberText(tasks.length)}</span>
          {underWay > 0 && <span className="quiet">{say('tasks.under_way', { count: underWay })}</span>}
          <span className="fill" />
          <Button kind="quiet" size="small" icon={SquarePlay} keycap="Esc" onPress={onPlayer}>
            {say('tasks.player')}
          </Button>
          {video.mayOrder && (
            <Button kind="quiet" size="small" icon={Plus} keycap="V" onPress={onOrder}>
              {say('orders.order')}
            </Button>
          )}
        </>
      }
    >
      <StaleBand>{say('orders.stale')}</StaleBand>
      <QueueFilters wish={wish} onChange={setWish} />
      {tasks.length === 0 ? (
        <NoOrders
          skeleton={
            <SkeletonRows
              className="tasks__skeleton"
              widths={SKELETON}
              rows={12}
              label={say('orders.loading')}
            />
          }
        />
      ) : shown.length === 0 ? (
        <Notice
          title={say('tasks.none')}
          actions={<Button onPress={() => setWish(EVERY_TASK)}>{say('tasks.show_all')}</Button>}
        />
      ) : (
        <DataTable
          name={say('tasks.title')}
          columns={columns}
          rows={lines}
          keyOf={keyOf}
          onSelect={(line) => onOpen(line.task.task_id)}
          checked={checked}
          onCheck={setChecked}
          initialSort={NEWEST_FIRST}
          asked={JSON.stringify(wish)}
        />
      )}
      {ticked.length > 0 || hasNews ? (
        <QueueBar tasks={ticked} onEvidence={setExported} onClear={() => setChecked(new Set())} />
      ) : (
        <QueueFoot shown={shown.length} />
      )}
      {exported !== null && <EvidenceDialog tasks={exported} onClose={() => setExported(null)} />}
    </Pane>
  );
}

const keyOf = (line: QueueLine): string => line.task.task_id;
const NEWEST_FIRST = { id: 'ordered', desc: true };
