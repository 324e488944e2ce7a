import { Bookmark } from 'lucide-react';
import { useMemo } from 'react';
import { taskStatus } from '../../../server/contract/video.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import { formatBytes } from '../../format/numbers.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Age } from '../../ui/Moment.tsx';
import { formatReason } from '../requests/failure.ts';
import { partOf } from '../requests/videoOrders.ts';
import { useVideo } from '../useVideo.ts';
import { formatReceived, sizeOf, type Asker, type QueueLine } from './useQueueLines.ts';

/** What stands in no column of its own where there is little room: the size is said with what was received. */
const SPARE = new Set(['online', 'left', 'size']);

/** The columns of the queue of videos. */
export function useQueueColumns(narrow: boolean): Column<QueueLine>[] {
  const t = useT();
  return useMemo(() => {
    const all: Column<QueueLine>[] = [
      {
        id: 'vehicle',
        head: t('list.column.vehicle'),
        value: ({ vehicle, channel, quality }) => `${vehicle} ${channel} ${quality ?? ''}`,
        cell: ({ vehicle, channel, quality }) => (
          <span className="tasks__vehicle" title={`${vehicle} ${channel}`}>
            <span className="ellipsis">
              <span className="strong">{vehicle}</span> <span className="quiet">{channel}</span>
            </span>
            {quality !== null && <span className="tasks__quality">{t(`quality.${quality}`)}</span>}
          </span>
        ),
        isName: true,
        width: 'minmax(120px, 1.4fr)',
      },
      {
        id: 'span',
        head: t('tasks.column.span'),
        value: ({ task }) => task.from,
        cell: ({ task }) => <Span from={Date.parse(task.from)} to={Date.parse(task.to)} />,
        width: 'calc(var(--moment-width) + var(--clock-width) + 16px)',
      },
      {
        id: 'state',
        head: t('tasks.column.state'),
        value: ({ task }) => taskStatus.options.indexOf(task.status),
        cell: ({ task }) => <State task={task} />,
        width: narrow ? 'minmax(144px, 1.4fr)' : 'minmax(148px, 1.2fr)',
      },
      {
        id: 'online',
        head: t('tasks.column.terminal'),
        value: ({ online }) => (online === null ? null : Number(online)),
        cell: ({ online }) => <Online online={online} />,
        width: '64px',
      },
      {
        id: 'received',
        head: t('tasks.column.received'),
        value: ({ task }) => partOf(task),
        cell: ({ task }) => <Received task={task} withSize={narrow} />,
        width: narrow ? '144px' : '112px',
      },
      {
        id: 'left',
        head: t('tasks.column.left'),
        sortable: false,
        value: () => '',
        cell: ({ task }) => <Left task={task} />,
        align: 'end',
        width: '64px',
      },
      {
        id: 'size',
        head: t('tasks.column.size'),
        value: ({ task }) => sizeOf(task),
        cell: ({ task }) => {
          const bytes = sizeOf(task);
          return bytes === null ? '' : formatBytes(bytes);
        },
        align: 'end',
        width: '72px',
      },
      {
        id: 'asker',
        head: t('tasks.column.asker'),
        value: ({ asker }) => formatAsker(asker, t),
        width: 'minmax(104px, 0.8fr)',
      },
      {
        id: 'why',
        head: t('tasks.column.why'),
        value: ({ why }) => why,
        cell: (line) => <Why line={line} />,
        width: 'minmax(96px, 1.4fr)',
      },
      {
        id: 'ordered',
        head: t('tasks.column.ordered'),
        value: ({ task }) => task.created_at,
        cell: ({ task }) => (
          <span className="quiet">
            <Age since={Date.parse(task.created_at)} short />
          </span>
        ),
        align: 'end',
        width: '88px',
      },
    ];
    return narrow ? all.filter(({ id }) => !SPARE.has(id)) : all;
  }, [t, narrow]);
}

function formatAsker(asker: Asker, t: Translate): string {
  if (asker.by === 'user') return asker.name ?? t('user.another');
  return asker.name === null ? t('tasks.a_rule') : t('tasks.rule', { name: asker.name });
}

function Span({ from, to }: { from: number; to: number }) {
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  return (
    <span title={time.utc(from)}>
      {t('video_requests.span', { from: time.moment(from, now), to: time.clock(to) })}
    </span>
  );
}

function State({ task }: Pick<QueueLine, 'task'>) {
  const t = useT();
  const words =
    task.status === 'failed' && task.error !== null
      ? t(`reason.${task.error.code}`)
      : t(`player.step.${task.status}`, { percent: Math.round(task.progress * 100) });
  return (
    <span className="tasks__state" title={task.error === null ? words : formatReason(task.error, t).how}>
      {task.important && (
        <span className="tasks__mark" role="img" aria-label={t('tasks.important')}>
          <Icon of={Bookmark} />
        </span>
      )}
      <span className={task.status === 'failed' ? 'strong ellipsis' : 'ellipsis'}>{words}</span>
    </span>
  );
}

function Online({ online }: Pick<QueueLine, 'online'>) {
  const t = useT();
  if (online === null) return <span className="faint">{t('tasks.online_unknown')}</span>;
  return online ? t('tasks.online') : <span className="quiet">{t('tasks.offline')}</span>;
}

function Received({ task, withSize }: Pick<QueueLine, 'task'> & { withSize: boolean }) {
  const t = useT();
  const size = sizeOf(task);
  if (task.status !== 'downloading') return withSize && size !== null ? formatBytes(size) : null;
  const bytes = formatReceived(task);
  const words =
    bytes === null
      ? t('tasks.percent', { percent: Math.round(task.progress * 100) })
      : bytes.total === null
        ? t('tasks.received', { received: bytes.received })
        : t('tasks.received_of', { received: bytes.received, total: bytes.total });
  return (
    <span className="tasks__received">
      <Meter label={words} value={task.progress} />
      <span className="ellipsis">{words}</span>
    </span>
  );
}

/** About how long it takes, at the speed so far. */
function Left({ task }: Pick<QueueLine, 'task'>) {
  const { clock } = useAppContext();
  const { pace } = useVideo();
  // Asked for so that the guess moves.
  useNow();
  const seconds = task.status === 'downloading' ? pace.secondsLeft({ tasks: [task] }, clock.now()) : null;
  return seconds === null ? null : formatAge(seconds * 1_000);
}

function Why({ line: { task, why } }: { line: QueueLine }) {
  const { navigation } = useAppContext();
  const t = useT();
  if (task.event_id === null) return <span className="faint">{t('tasks.chosen')}</span>;
  return (
    <a
      className="tasks__why ellipsis"
      title={why ?? t('tasks.event')}
      href={navigation.linkTo('events', { view: 'events', row: task.event_id })}
    >
      {why ?? t('tasks.event')}
    </a>
  );
}
