import { Pause, Play } from 'lucide-react';
import { useEffect, useMemo, useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { doorName, type DoorName, type IntakeMessage } from '../../server/contract/intake.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PickField, type Pickable } from '../ui/PickField.tsx';
import { Segments } from '../ui/Segments.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { sortedByName } from '../vehicles/listOrder.ts';
import { inOrder } from './doorAddress.ts';
import { createMessageFeed } from './messageFeed.ts';
import { useMessageColumns } from './useMessageColumns.tsx';
import { messageKey } from './verdict.ts';

const ALL = 'all';
/** The video's door takes film, not messages. */
const doors = inOrder(doorName.options.map((name) => ({ name })))
  .map(({ name }) => name)
  .filter((name) => name !== 'jt1078');
const SKELETON = [
  [56, 120, 90, 60, 220, 60],
  [56, 120, 70, 60, 180, 50],
] as const;

export interface MessageWish {
  door: DoorName | null;
  terminal: string | null;
}

/** The last messages as they came, of one door or of one terminal, newest first. */
export function MessagesPart({
  kept,
  wish,
  onWish,
  selected,
  onSelect,
  narrow,
}: {
  kept: RefObject<HTMLElement | null>;
  wish: MessageWish;
  onWish: (wish: MessageWish) => void;
  selected: IntakeMessage | null;
  onSelect: (message: IntakeMessage) => void;
  narrow: boolean;
}) {
  const say = useText();
  const { door, terminal } = wish;
  const items = useTerminals();
  return (
    <section ref={kept} className="intake__messages" aria-label={say('intake.messages')}>
      <div className="intake__tools">
        <h2 className="fill">{say('intake.messages')}</h2>
        <Segments
          label={say('intake.of_door')}
          value={door ?? ALL}
          options={[
            { id: ALL, label: say('intake.all_doors') },
            ...doors.map((id) => ({ id, label: say(`intake.short.${id}`) })),
          ]}
          onChange={(id) => onWish({ door: id === ALL ? null : id, terminal })}
        />
        <div className="intake__find">
          <PickField
            label={say('intake.of_terminal')}
            items={items}
            value={terminal === null ? [] : [terminal]}
            onChange={([id]) => onWish({ door, terminal: id ?? null })}
            single
            unknownName={terminal ?? ''}
            placeholder={say('intake.all_terminals')}
          />
        </div>
      </div>
      <Messages
        key={`${door ?? ALL} ${terminal ?? ''}`}
        door={door}
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
  const { vehicles, knocking } = useDesk();
  const say = useText();
  const known = useStore(vehicles.store, (state) => state.byId);
  const unknown = useStore(knocking.store, (state) => state.byId);
  return useMemo(
    () => [
      ...[...unknown.keys()].map((id) => ({ id, name: id, detail: say('intake.no_vehicle') })),
      ...sortedByName(known.values()).map(({ terminal_id, name }) => ({
        id: terminal_id,
        name,
        detail: terminal_id,
      })),
    ],
    [known, unknown, say],
  );
}

function Messages({
  door,
  terminal,
  selected,
  onSelect,
  narrow,
}: {
  door: DoorName | null;
  terminal: string | null;
  selected: IntakeMessage | null;
  onSelect: (message: IntakeMessage) => void;
  narrow: boolean;
}) {
  const desk = useDesk();
  const say = useText();
  const [feed] = useState(() => createMessageFeed(desk, { door, terminalId: terminal }));
  useEffect(() => {
    const stop = feed.start();
    const stopLink = desk.stream.onLink((link) => {
      if (link.phase === 'live') feed.retry();
    });
    return () => {
      stopLink();
      stop();
    };
  }, [feed, desk]);
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
        title={say('intake.messages_failed')}
        stillWorks={say('intake.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={() => feed.retry()}
      />
    );
  if (load.phase === 'loading' && messages.length === 0)
    return (
      <SkeletonRows className="intake__skeleton" widths={SKELETON} rows={6} label={say('intake.reading')} />
    );
  if (messages.length === 0)
    return (
      <Notice title={say('intake.no_messages')}>
        {say(terminal === null ? 'intake.no_messages_how' : 'intake.no_messages_of')}
      </Notice>
    );
  return (
    <>
      <div className="intake__table">
        <DataTable
          name={say('intake.messages')}
          columns={columns}
          rows={messages}
          keyOf={messageKey}
          selectedKey={selectedKey}
          onSelect={onSelect}
          asked={`${door ?? ''} ${terminal ?? ''}`}
        />
      </div>
      <div className="pane__foot">
        <span className="fill">
          {load.phase === 'failed'
            ? say('intake.messages_stale')
            : pausedAt === null
              ? say('intake.following')
              : say('intake.paused', { time: desk.settings.getState().time.clock(pausedAt) })}
        </span>
        <Button
          size="small"
          icon={pausedAt === null ? Pause : Play}
          onPress={() => feed.follow(pausedAt !== null)}
        >
          {say(pausedAt === null ? 'intake.pause' : 'intake.follow')}
        </Button>
      </div>
    </>
  );
}
