import { Pause, Play } from 'lucide-react';
import { useEffect, useMemo, useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { listenerName, type ListenerName, type IntakeMessage } from '../../server/contract/intake.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { MultiSelect, type Pickable } from '../ui/MultiSelect.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { sortedByName } from '../vehicles/listOrder.ts';
import { messageKey, knownTerminals, messageStatus, type MessageStatus, StatusMark } from './StatusMark.tsx';
import { inOrder, formatCodes, summarize, formatOutcome } from './intakeLabels.ts';
import { createMessageFeed } from './messageFeed.ts';

const ALL = 'all';
/** The video listener takes video, not messages. */
const listeners = inOrder(listenerName.options.map((name) => ({ name })))
  .map(({ name }) => name)
  .filter((name) => name !== 'jt1078');
const SKELETON = [
  [56, 120, 90, 60, 220, 60],
  [56, 120, 70, 60, 180, 50],
] as const;

export interface MessageFilter {
  listener: ListenerName | null;
  terminal: string | null;
}

/** The last messages as received, of one listener or one terminal, newest first. */
export function MessagesPart({
  kept,
  filter,
  onFilterChange,
  selected,
  onSelect,
  narrow,
}: {
  kept: RefObject<HTMLElement | null>;
  filter: MessageFilter;
  onFilterChange: (filter: MessageFilter) => void;
  selected: IntakeMessage | null;
  onSelect: (message: IntakeMessage) => void;
  narrow: boolean;
}) {
  const t = useT();
  const { listener, terminal } = filter;
  const items = useTerminals();
  return (
    <section ref={kept} className="intake__messages" aria-label={t('intake.messages')}>
      <div className="intake__tools">
        <h2 className="fill">{t('intake.messages')}</h2>
        <SegmentedControl
          label={t('intake.of_listener')}
          value={listener ?? ALL}
          options={[
            { id: ALL, label: t('intake.all_listeners') },
            ...listeners.map((id) => ({ id, label: t(`intake.short.${id}`) })),
          ]}
          onChange={(id) => onFilterChange({ listener: id === ALL ? null : id, terminal })}
        />
        <div className="intake__find">
          <MultiSelect
            label={t('intake.of_terminal')}
            items={items}
            value={terminal === null ? [] : [terminal]}
            onChange={([id]) => onFilterChange({ listener, terminal: id ?? null })}
            single
            unknownName={terminal ?? ''}
            placeholder={t('intake.all_terminals')}
          />
        </div>
      </div>
      <Messages
        key={`${listener ?? ALL} ${terminal ?? ''}`}
        listener={listener}
        terminal={terminal}
        selected={selected}
        onSelect={onSelect}
        narrow={narrow}
      />
    </section>
  );
}

/** All terminals that one may look for: by their vehicle's name, and those that have none. */
function useTerminals(): Pickable[] {
  const { vehicles, unknownTerminals } = useAppContext();
  const t = useT();
  const known = useStore(vehicles.store, (state) => state.byId);
  const unknown = useStore(unknownTerminals.store, (state) => state.byId);
  return useMemo(
    () => [
      ...[...unknown.keys()].map((id) => ({ id, name: id, detail: t('intake.no_vehicle') })),
      ...sortedByName(known.values()).map(({ terminal_id, name }) => ({
        id: terminal_id,
        name,
        detail: terminal_id,
      })),
    ],
    [known, unknown, t],
  );
}

function Messages({
  listener,
  terminal,
  selected,
  onSelect,
  narrow,
}: {
  listener: ListenerName | null;
  terminal: string | null;
  selected: IntakeMessage | null;
  onSelect: (message: IntakeMessage) => void;
  narrow: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const [feed] = useState(() => createMessageFeed(app, { listener, terminalId: terminal }));
  useEffect(() => {
    const stop = feed.start();
    const stopLink = app.stream.onLink((link) => {
      if (link.phase === 'live') feed.retry();
    });
    return () => {
      stopLink();
      stop();
    };
  }, [feed, app]);
  const { messages, load, pausedAt } = useStore(feed.store);
  const columns = useMessageColumns(narrow);
  const selectedKey = selected === null ? null : messageKey(selected);

  // The answer of the message that is looked at may come later than the message.
  const newer = useMemo(
    () => messages.find((it) => messageKey(it) === selectedKey) ?? null,
    [messages, selectedKey],
  );
  useEffect(() => {
    if (newer !== null && newer !== selected) onSelect(newer);
  }, [newer, selected, onSelect]);

  if (load.phase === 'failed' && messages.length === 0)
    return (
      <LoadFailure
        title={t('intake.messages_failed')}
        stillWorks={t('intake.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={() => feed.retry()}
      />
    );
  if (load.phase === 'loading' && messages.length === 0)
    return (
      <SkeletonRows className="intake__skeleton" widths={SKELETON} rows={6} label={t('intake.reading')} />
    );
  if (messages.length === 0)
    return (
      <Notice title={t('intake.no_messages')}>
        {t(terminal === null ? 'intake.no_messages_how' : 'intake.no_messages_of')}
      </Notice>
    );
  return (
    <>
      <div className="intake__table">
        <DataTable
          name={t('intake.messages')}
          columns={columns}
          rows={messages}
          keyOf={messageKey}
          selectedKey={selectedKey}
          onSelect={onSelect}
          asked={`${listener ?? ''} ${terminal ?? ''}`}
        />
      </div>
      <div className="pane__foot">
        <span className="fill">
          {load.phase === 'failed'
            ? t('intake.messages_stale')
            : pausedAt === null
              ? t('intake.following')
              : t('intake.paused', { time: app.settings.getState().time.clock(pausedAt) })}
        </span>
        <Button
          size="small"
          icon={pausedAt === null ? Pause : Play}
          onPress={() => feed.follow(pausedAt !== null)}
        >
          {t(pausedAt === null ? 'intake.pause' : 'intake.follow')}
        </Button>
      </div>
    </>
  );
}

/** What somebody who sets up a terminal must see first. */
const troubles: readonly MessageStatus[] = ['failed', 'unknown', 'undecodable', 'rejected'];

type ColumnId = 'time' | 'terminal' | 'listener' | 'address' | 'length' | 'gist' | 'became';

/** @param narrow beside an open message, which says the rest */
function useMessageColumns(narrow: boolean): readonly Column<IntakeMessage>[] {
  const { vehicles } = useAppContext();
  const t = useT();
  const byId = useStore(vehicles.store, (state) => state.byId);
  const isKnown = useMemo(() => knownTerminals(byId.values()), [byId]);
  return useMemo(() => {
    const column = (
      id: ColumnId,
      width: string,
      value: Column<IntakeMessage>['value'],
      rest: Partial<Column<IntakeMessage>> = {},
    ): Column<IntakeMessage> => ({
      id,
      head: t(`intake.message.${id}`),
      width,
      value,
      sortable: false,
      ...rest,
    });
    const all = [
      column('time', '64px', ({ at }) => at, {
        cell: ({ at }) => <TimeOfDay at={Date.parse(at)} />,
      }),
      column('terminal', '144px', ({ terminal_id }) => terminal_id ?? t('intake.nobody'), {
        isName: true,
      }),
      column('listener', '88px', ({ listener }) => t(`intake.short.${listener}`)),
      column('address', '112px', ({ address, transport }) => `${address ?? '–'} ${transport}`, {
        cell: ({ address, transport }) => (
          <span title={transport.toUpperCase()}>{address ?? t('intake.no_address')}</span>
        ),
      }),
      column('length', '56px', ({ size_bytes: length }) => length, {
        align: 'end',
        cell: ({ size_bytes: length }) => `${formatNumber(length)} B`,
      }),
      column('gist', 'minmax(160px, 1fr)', (message) => summarize(message, t), {
        cell: (message) => (
          <span title={message.summary ?? summarize(message, t)}>{summarize(message, t)}</span>
        ),
      }),
      column('became', narrow ? '168px' : '264px', (message) => formatOutcome(message, t), {
        cell: (message) => <Became message={message} isKnown={isKnown} withCode={!narrow} />,
      }),
    ];
    return narrow ? all.filter(({ id }) => !['listener', 'address', 'length'].includes(id)) : all;
  }, [t, isKnown, narrow]);
}

function Became({
  message,
  isKnown,
  withCode,
}: {
  message: IntakeMessage;
  isKnown: (terminal: string) => boolean;
  withCode: boolean;
}) {
  const t = useT();
  const verdict = messageStatus(message, isKnown);
  const words = formatOutcome(message, t);
  const code = formatCodes(message);
  return (
    <span
      className={`verdict ${troubles.includes(verdict) ? 'strong' : 'quiet'}`}
      title={code === '' ? words : `${words}: ${code}`}
    >
      <StatusMark verdict={verdict} />
      <span className="ellipsis">{words}</span>
      {withCode && code !== '' && <code className="faint ellipsis">{code}</code>}
    </span>
  );
}
