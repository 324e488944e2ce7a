import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { writeHash } from '../navigation/navigation.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { writeEventsAddress, type EventsAddress } from './eventsAddress.ts';
import { csvOf, type FileColumn } from './columns.tsx';
import type { Listed, PagedList, PagedState } from './pagedList.ts';

const SKELETON = [
  [112, 56, 200, 88, 120],
  [112, 48, 240, 80, 96],
  [112, 56, 168, 96, 140],
] as const;
const VIEWS = ['notifications', 'events'] as const;

export interface ListViewProps {
  address: EventsAddress;
  onChange: (part: Partial<EventsAddress>) => void;
  /** Puts all filters back. */
  onShowAll: () => void;
}

interface Placed {
  lat: number | null;
  lon: number | null;
}

const pointOf = ({ lat, lon }: Placed) => (lat === null || lon === null ? null : { lat, lon });

export interface EventsPaneProps<T extends Placed> extends Pick<ListViewProps, 'address' | 'onShowAll'> {
  list: PagedList<T>;
  state: PagedState<T>;
  /** Those of `state`, in their newest states. */
  rows: readonly Listed<T>[];
  columns: readonly Column<Listed<T>>[];
  /** What a file of the rows holds. */
  file: readonly FileColumn<T>[];
  filters: ReactNode;
  /** For the rows that are ticked. */
  actions?: ReactNode;
  selectedKey: string | null;
  onSelect: (item: T) => void;
  onMenu: (item: T, at: { x: number; y: number }) => boolean;
  checked?: ReadonlySet<string>;
  onCheck?: (keys: ReadonlySet<string>) => void;
}

/** One of the two lists of the screen in its four states, with its filters above and what is left below. */
export function EventsPane<T extends Placed>(props: EventsPaneProps<T>) {
  const {
    address,
    list,
    state,
    rows,
    columns,
    file,
    filters,
    actions,
    selectedKey,
    onSelect,
    onMenu,
    onShowAll,
  } = props;
  const { view } = address;
  const app = useAppContext();
  const t = useT();
  const { load, fresh, rest } = state;
  const name = t(`events.view.${view}`);

  const [isSaving, setIsSaving] = useState(false);

  const save = async () => {
    setIsSaving(true);
    await app.places.load(rows.flatMap(({ item }) => pointOf(item) ?? []));
    setIsSaving(false);
    const heads = file.map((it) => it.head);
    const lines = rows.map(({ item }) => file.map((column) => String(column.value(item) ?? '')));
    const day = new Date(app.serverTime.now()).toISOString().slice(0, 10);
    await app.platform.saveFile(`${view}-${day}.csv`, csvOf([heads, ...lines]));
  };

  return (
    <Pane
      name={name}
      className="events__pane"
      head={
        <>
          <h2 className="unseen">{name}</h2>
          <nav className="events__views" aria-label={t('events.views')}>
            {VIEWS.map((it) => (
              <a
                key={it}
                href={addressOf({ ...address, view: it })}
                aria-current={it === view ? 'page' : undefined}
              >
                {t(`events.view.${it}`)}
              </a>
            ))}
          </nav>
          <span role="status">
            {fresh.length > 0 && (
              <Button size="small" onPress={() => list.showFresh()}>
                {t('events.fresh', { count: fresh.length })}
              </Button>
            )}
          </span>
          <span className="fill" />
          {actions}
          <Button
            size="small"
            kind="quiet"
            icon={Download}
            disabled={rows.length === 0 || isSaving}
            onPress={() => void save()}
          >
            {t('events.export')}
          </Button>
        </>
      }
    >
      <StaleBanner>{t('events.stale')}</StaleBanner>
      <div className="events__filters" role="group" aria-label={t('events.filters')}>
        {filters}
      </div>
      {load.phase === 'failed' && rows.length === 0 ? (
        <LoadFailure
          title={t('events.failed')}
          stillWorks={t('events.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => list.retry()}
        />
      ) : load.phase === 'loading' && rows.length === 0 ? (
        <SkeletonRows className="events__skeleton" widths={SKELETON} rows={12} label={t('events.loading')} />
      ) : rows.length === 0 && rest === 'none' ? (
        <Notice
          title={t('events.empty')}
          actions={<Button onPress={onShowAll}>{t('events.show_all')}</Button>}
        >
          {t('events.empty_how')}
        </Notice>
      ) : (
        <>
          <DataTable
            name={name}
            columns={columns}
            rows={rows}
            keyOf={keyOf}
            selectedKey={selectedKey}
            onSelect={(row) => onSelect(row.item)}
            onMenu={(row, at) => onMenu(row.item, at)}
            initialSort={NEWEST_FIRST}
            onEnd={rest === 'some' ? () => list.more() : null}
            {...(props.checked === undefined ? {} : { checked: props.checked })}
            {...(props.onCheck === undefined ? {} : { onCheck: props.onCheck })}
          />
          <ListFoot rows={rows} rest={rest} onMore={() => list.more(true)} />
        </>
      )}
    </Pane>
  );
}

const NEWEST_FIRST = { id: 'time', desc: true };
/** What narrows both lists goes along from one to the other. */
function addressOf(address: EventsAddress): string {
  const words = Object.entries(writeEventsAddress(address)).flatMap(([word, value]) =>
    value === null ? [] : [[word, value] as const],
  );
  return writeHash({ place: 'events', query: Object.fromEntries(words) });
}

const keyOf = (row: { id: string }): string => row.id;

/** How much is shown, and how to get at what is not. */
function ListFoot({
  rows,
  rest,
  onMore,
}: {
  rows: readonly Listed<unknown>[];
  rest: PagedState<unknown>['rest'];
  onMore: () => void;
}) {
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const last = rows.at(-1);
  const extent =
    last === undefined
      ? t('events.shown_none')
      : t('events.shown', { count: rows.length, time: time.moment(Date.parse(last.at), now) });
  return (
    <div className="pane__foot" role="status">
      <span>{rest === 'none' ? t('events.shown_all', { count: rows.length }) : extent}</span>
      {rest === 'reading' && <span>{t('events.reading_more')}</span>}
      {rest === 'failed' && <span>{t('events.more_failed')}</span>}
      {rest === 'failed' && <RetryButton size="small" onRetry={onMore} />}
      {rest === 'paused' && (
        <Button size="small" onPress={onMore}>
          {t('events.search_on')}
        </Button>
      )}
    </div>
  );
}
