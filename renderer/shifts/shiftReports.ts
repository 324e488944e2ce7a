import { shiftRoutes, type Shift, type ShiftReport } from '../../server/contract/shifts.ts';
import type { Api } from '../api/client.ts';
import { saveAnswer } from '../api/saveAnswer.ts';
import type { AppContext } from '../appContext/appContext.ts';

/** Reads the report of a shift: as recorded, or up to now while it goes on. */
export const reportReader =
  (api: Api, shift_id: string) =>
  (signal: AbortSignal): Promise<ShiftReport> =>
    api.request(shiftRoutes.report, { params: { shift_id }, signal });

/** Saves the report as PDF. Throws ApiProblem, Unreachable. */
export async function saveReportPdf(app: AppContext, { shift_id }: Shift): Promise<void> {
  await saveAnswer(app, await app.api.open(shiftRoutes.pdf, { params: { shift_id } }), 'shift.pdf');
}
