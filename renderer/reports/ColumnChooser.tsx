import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { reportColumns } from '../../server/contract/reportColumns.ts';
import type { ReportKind } from '../../server/contract/reportRows.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { columnHead, shownColumns } from './useReportColumns.tsx';

/** Which columns a kind of report shows, and in which order; those that are shown stand on top. */
export function ColumnChooser({
  kind,
  chosen,
  onChange,
}: {
  kind: ReportKind;
  /** Null: the usual ones. */
  chosen: readonly string[] | null;
  onChange: (columns: string[] | null) => void;
}) {
  const t = useT();
  const all = reportColumns[kind].map(({ key }) => key);
  const shown = shownColumns(kind, chosen);
  const others = all.filter((key) => !shown.includes(key));
  return (
    <DialogTrigger>
      <Button kind="quiet" size="small" icon={Columns3}>
        {t('reports.columns')}
      </Button>
      <Popover className="popover" offset={4} placement="bottom start">
        <Dialog className="column-chooser" aria-label={t('reports.columns')}>
          <ul>
            {[...shown, ...others].map((key) => {
              const at = shown.indexOf(key);
              const head = columnHead(kind, key, t);
              return (
                <li key={key} className="column-chooser__row">
                  <label className="fill ellipsis">
                    <input
                      type="checkbox"
                      checked={at !== -1}
                      // A table without columns says nothing.
                      disabled={at !== -1 && shown.length === 1}
                      onChange={() =>
                        onChange(at === -1 ? [...shown, key] : shown.filter((it) => it !== key))
                      }
                    />
                    {head}
                  </label>
                  {at !== -1 && (
                    <>
                      <IconButton
                        icon={ArrowUp}
                        size="small"
                        label={t('reports.column_up', { name: head })}
                        disabled={at === 0}
                        onPress={() => onChange(swapped(shown, at - 1))}
                      />
                      <IconButton
                        icon={ArrowDown}
                        size="small"
                        label={t('reports.column_down', { name: head })}
                        disabled={at === shown.length - 1}
                        onPress={() => onChange(swapped(shown, at))}
                      />
                    </>
                  )}
                </li>
              );
            })}
          </ul>
          <Button size="small" disabled={chosen === null} onPress={() => onChange(null)}>
            {t('reports.columns_usual')}
          </Button>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** With this one and the next one changed over. */
function swapped(keys: readonly string[], at: number): string[] {
  const next = [...keys];
  next.splice(at, 2, ...keys.slice(at, at + 2).reverse());
  return next;
}
