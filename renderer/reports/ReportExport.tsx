import { Download } from 'lucide-react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Icon } from '../ui/Icon.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { fileLayoutOf } from './reportLayouts.ts';
import { askedOf, reportSource, type ReportFilter } from './reportQuery.ts';
import { useShownLayout } from './useReportColumns.tsx';

const FORMATS = ['pdf', 'xlsx', 'csv'] as const;

/** Saves the report that is shown as a file, made anew by the server from the same question, as the table shows it. */
export function ReportExport({ filter }: { filter: ReportFilter }) {
  const app = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const layout = useShownLayout(filter.kind);
  const save = (format: (typeof FORMATS)[number]) =>
    run(async () => {
      const response = await app.api.open(reportSource(filter.kind).route, {
        query: { ...askedOf(filter), ...fileLayoutOf(layout), format },
      });
      const given = /filename="?([^";]+)"?/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
      await app.platform.saveFile(given ?? `${filter.kind}.${format}`, await response.blob());
    });
  return (
    <>
      {sentence !== null && <span role="alert">{sentence}</span>}
      {busy && <span role="status">{t('reports.export_working')}</span>}
      <MenuButton
        label={t('reports.export')}
        size="normal"
        entries={[
          ...FORMATS.map((format) => ({
            id: format,
            label: t(`reports.export.${format}`),
            disabled: busy,
            run: () => void save(format),
          })),
          { id: 'print', label: t('reports.print'), keycap: 'Ctrl P', run: () => window.print() },
        ]}
      >
        <Icon of={Download} />
      </MenuButton>
    </>
  );
}
