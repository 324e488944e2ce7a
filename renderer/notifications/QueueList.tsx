import { ChevronDown, ChevronRight } from 'lucide-react';
import { useCallback, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { openAlarmMenu } from '../commands/contextMenus.ts';
import { useMenuRequests } from '../ui/ContextMenu.tsx';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { stepQueue } from '../live/liveActions.ts';
import { mayWrite } from '../navigation/navigation.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Age } from '../ui/Moment.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { useRowKeys, useVirtualRows } from '../ui/useVirtualRows.ts';
import type { QueueGroup, QueueLine } from './queueLines.ts';
import { groupLineKey } from './queueLines.ts';
import { QueueRow } from './QueueRow.tsx';
import { checkAll, checkRow, clearChecked, currentLineKey, foldGroup, walkedLines } from './queueView.ts';

const ROW_PX = 32;

/** The lines of the queue: of a thousand those in sight are drawn, and the head of the group that is read. */
export function QueueList({
  name,
  lines,
  nameWidth,
  wide,
  lost,
  children,
}: {
  /** Spoken. */
  name: string;
  lines: readonly QueueLine[];
  nameWidth: number;
  wide: boolean;
  lost: boolean;
  /** What stands under the rows. */
  children?: ReactNode;
}) {
  const app = useAppContext();
  const scroller = useRef<HTMLDivElement>(null);
  const selectedId = useStore(app.view, (state) => state.notificationId);
  const groupKey = useStore(app.queueView, (state) => state.groupKey);
  const groupBy = useStore(app.queueView, (state) => state.groupBy);
  const list = useStore(app.queueView, (state) => state.list);
  const rowKeys = useRowKeys(lines);
  const heads = useMemo(
    () => lines.flatMap((line, index) => (line.kind === 'group' ? [index] : [])),
    [lines],
  );
  const headOf = useCallback((index: number) => heads.findLast((head) => head <= index) ?? null, [heads]);
  const filter = useMemo(() => ({ groupBy, list }), [groupBy, list]);
  const { virtual, pointer } = useVirtualRows({
    scroller,
    rows: rowKeys,
    rowPx: ROW_PX,
    filter,
    pinned: headOf,
    selectedKey: groupKey === null ? selectedId : groupLineKey(groupKey),
    scrollPaddingStart: heads.length > 0 ? ROW_PX : 0,
  });
  const items = virtual.getVirtualItems();
  const stuck = headOf(virtual.range?.startIndex ?? 0);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    const isCtrl = event.ctrlKey || event.metaKey;
    if (list === 'acknowledged' || event.altKey) return;
    if (isCtrl && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      checkAll(app);
    } else if (event.key === 'Escape' && app.queueView.getState().checked.size > 0) {
      event.stopPropagation();
      clearChecked(app);
    } else if (step !== null && !isCtrl) {
      event.preventDefault();
      const anchor = app.view.getState().notificationId;
      stepQueue(app, step);
      const reached = app.view.getState().notificationId;
      if (!event.shiftKey) clearChecked(app);
      else if (reached !== null) {
        if (app.queueView.getState().anchorId === null) app.queueView.setState({ anchorId: anchor });
        checkRow(app, reached, 'range');
      }
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const walked = walkedLines(app);
      const group = groupAt(walked, currentLineKey(app, walked));
      if (group === null) return;
      event.preventDefault();
      foldGroup(app, group.key, event.key === 'ArrowLeft');
    }
  };

  // A key asks for the menu of the selected row; the pointer asks the row itself. A long press asks both, the row first,
  // which selects it. The head of a group has no menu.
  const requests = useMenuRequests(
    ({ target, ...at }) => {
      const { notificationId } = app.view.getState();
      const selected = app.notifications.store.getState().byId.get(notificationId ?? '');
      return (
        target.closest('.queue-group') === null && selected !== undefined && openAlarmMenu(app, selected, at)
      );
    },
    () => scroller.current?.querySelector('.queue-row[aria-current=true]') ?? null,
  );

  return (
    <div
      ref={scroller}
      className="queue__rows"
      style={{ '--name-width': `${nameWidth}px` }}
      onPointerMove={pointer.enter}
      onPointerLeave={pointer.leave}
    >
      <div
        role="list"
        className="queue__list"
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...requests}
        aria-label={name}
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map(({ index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const isStuck = index === stuck;
          return (
            <div
              key={line.key}
              role="presentation"
              className={isStuck ? 'queue__line queue__line--stuck' : 'queue__line'}
              style={isStuck ? {} : { transform: `translateY(${start}px)` }}
            >
              {line.kind === 'group' ? (
                <GroupHead group={line.group} isOpen={line.isOpen} current={line.group.key === groupKey} />
              ) : (
                <QueueRow notification={line.notification} wide={wide} lost={lost} />
              )}
            </div>
          );
        })}
      </div>
      {children}
    </div>
  );
}

/** The group that a line heads or lies in. */
function groupAt(lines: readonly QueueLine[], key: string | null): QueueGroup | null {
  const at = lines.findIndex((line) => line.key === key);
  const head = lines.slice(0, at + 1).findLast((line) => line.kind === 'group');
  return head?.kind === 'group' ? head.group : null;
}

/** What a group is called, how many rows it has, its gravest severity and the age of its oldest row. */
function GroupHead({ group, isOpen, current }: { group: QueueGroup; isOpen: boolean; current: boolean }) {
  const app = useAppContext();
  const t = useT();
  const { key, name, severity, oldest, rows } = group;
  return (
    <div role="listitem" className="queue-group" aria-current={current}>
      <button
        type="button"
        className="queue-group__fold"
        aria-expanded={isOpen}
        onClick={() => foldGroup(app, key, isOpen)}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} />
        <SeverityMark severity={severity} />
        <span className="strong ellipsis">{name}</span>
        <span className="quiet">{t('queue.group_count', { count: rows.length })}</span>
        <span className="quiet">
          {t('queue.group_oldest')} <Age since={Date.parse(oldest)} short />
        </span>
      </button>
      {mayWrite(app.user, 'notifications') && (
        <Button
          size="small"
          kind="plain"
          keycap={current ? 'A' : null}
          onPress={() => {
            clearChecked(app);
            app.queueView.setState({ groupKey: key });
            app.view.setState({ overlay: 'note' });
          }}
        >
          {t('queue.group_acknowledge')}
        </Button>
      )}
    </div>
  );
}
