import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import type { Listed, PagedState } from './pagedList.ts';

/** How much is shown, and how to get at what is not. */
export function ListFoot({
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
  const shown =
    last === undefined
      ? t('events.shown_none')
      : t('events.shown', { count: rows.length, time: time.moment(Date.parse(last.at), now) });
  return (
    <div className="pane__foot" role="status">
      <span>{rest === 'none' ? t('events.shown_all', { count: rows.length }) : shown}</span>
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
