import { I18nextProvider } from 'react-i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ShiftReport } from '../../../server/contract/shifts.ts';
import { createI18n } from '../../../renderer/i18n/text.ts';
import { ShiftReportView } from '../../../renderer/shifts/ShiftReportView.tsx';

const none = { alarm: 0, warning: 0, info: 0 };
const report = {
  notifications: { total: 0, by_severity: none, by_rule: [] },
  acknowledgements: { total: 0, median_s: null, by_user: [] },
  open: { total: 15, by_severity: { alarm: 1, warning: 11, info: 3 }, items: [] },
  incidents: { total: 0, not_closed: 0, items: [] },
  ...{ is_cut: false, clips: null, silent_vehicles: null, troubles: null, changes: null },
} as unknown as ShiftReport;

it('the list of what is open in a report of a shift names what it counts: alarms and warnings', () => {
  const view = renderToStaticMarkup(
    <I18nextProvider i18n={createI18n()}>
      <ShiftReportView report={report} />
    </I18nextProvider>,
  ).replaceAll(/<[^>]*>/g, '|');
  expect(view).toContain('Alarms 1, warnings 11, info 3');
  expect(view).toMatch(/Open alarms and warnings \|+12\|/);
});
