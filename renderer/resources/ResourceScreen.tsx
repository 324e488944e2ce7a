import { useContext, type ReactNode } from 'react';
import { useT } from '../i18n/useT.ts';
import { formatNumber } from '../format/numbers.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type DataTableProps } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { CloseGuard } from '../ui/Modal.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { TextField } from '../ui/TextField.tsx';
import { CloseGuardContext } from '../ui/unsaved.ts';
import { useEscape } from '../ui/useEscape.ts';
import type { LoadState } from './resourceStore.ts';
import '../ui/manage.css';

/** A screen that lists what people set up, with what is selected beside it; Escape closes that. */
export function ResourceScreen({
  side,
  onClose,
  children,
}: {
  /** The panel beside the list; null while nothing is selected. */
  side: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <CloseGuard>
      <div className="manage">
        {children}
        {side}
      </div>
      {side !== null && side !== false && <CloseByEscape onClose={onClose} />}
    </CloseGuard>
  );
}

function CloseByEscape({ onClose }: { onClose: () => void }) {
  const guard = useContext(CloseGuardContext);
  useEscape(true, () => guard.close(onClose));
  return null;
}

export interface ResourceListProps<Row> extends Pick<
  DataTableProps<Row>,
  | 'name'
  | 'columns'
  | 'rows'
  | 'keyOf'
  | 'selectedKey'
  | 'onMenu'
  | 'checked'
  | 'onCheck'
  | 'asked'
  | 'initialSort'
> {
  /** How many there are, whatever `rows` are narrowed down to. */
  total: number;
  load: LoadState;
  onRetry: () => void;
  onSelect: (row: Row) => void;
  /** What is searched by. */
  typed: string;
  onType: (typed: string) => void;
  texts: {
    search: string;
    placeholder: string;
    /** Spoken while it is read. */
    loading: string;
    failed: string;
    failedStill: string;
    /** What still works while the server is lost. */
    stale: string;
  };
  /** Widths of the bars of a row while it is read, pixels. */
  skeleton: readonly (readonly number[])[];
  /** There are none at all. */
  empty: ReactNode;
  /** None is what is asked for, and the way back. */
  noMatch: { title: string; back: string; onBack: () => void };
  /** Above the search. */
  notes?: ReactNode;
  /** Beside the search. They stay when there is nothing to list: one of them may be the reason. */
  filters?: ReactNode;
  /** At the end of the line of the search. */
  aside?: ReactNode;
  /** What can be done with the selected rows. */
  bulk?: ReactNode;
}

const BY_NAME = { id: 'name', desc: false };

/** A list to search in and select from, with its states: read, empty, failed, narrowed down to nothing. */
export function ResourceList<Row>({
  total,
  load,
  onRetry,
  typed,
  onType,
  texts,
  skeleton,
  empty,
  noMatch,
  notes,
  filters,
  aside,
  bulk,
  ...table
}: ResourceListProps<Row>) {
  const t = useT();
  const isBare = total === 0 && load.phase !== 'loading';
  const bare =
    load.phase === 'failed' ? (
      <LoadFailure
        title={texts.failed}
        stillWorks={texts.failedStill}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={onRetry}
      />
    ) : (
      empty
    );
  if (isBare && filters === undefined) return bare;
  const { rows } = table;
  return (
    <>
      {!isBare && <StaleBanner>{texts.stale}</StaleBanner>}
      {!isBare && notes}
      <div className="manage__tools">
        <div className="manage__search">
          <TextField
            hiddenLabel
            type="search"
            label={texts.search}
            placeholder={texts.placeholder}
            value={typed}
            onChange={onType}
            maxLength={100}
          />
        </div>
        {filters}
        <span className="fill" />
        {aside}
        {rows.length !== total && (
          <span className="faint small" role="status">
            {t('resources.shown', { shown: formatNumber(rows.length), all: formatNumber(total) })}
          </span>
        )}
      </div>
      {isBare ? (
        bare
      ) : total === 0 ? (
        <SkeletonRows className="manage__skeleton" widths={skeleton} rows={8} label={texts.loading} />
      ) : rows.length === 0 ? (
        <Notice title={noMatch.title} actions={<Button onPress={noMatch.onBack}>{noMatch.back}</Button>} />
      ) : (
        <DataTable initialSort={BY_NAME} {...table} />
      )}
      {bulk}
    </>
  );
}
