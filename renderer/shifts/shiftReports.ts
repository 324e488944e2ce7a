import { shiftRoutes, type Shift, type ShiftReport } from '../../server/contract/shifts.ts';
import type { Api } from '../api/client.ts';
import type { AppContext } from '../appContext/appContext.ts';

/** Reads the report of a shift: as recorded, or up to now while it goes on. */
export const reportReader =
  (api: Api, shift_id: string) =>
  (signal: AbortSignal): Promise<ShiftReport> =>
    api.request(shiftRoutes.report, { params: { shift_id }, signal });

/** Saves the report as PDF. Throws ApiProblem, Unreachable. */
export async function saveReportPdf(
  { api, platform }: AppContext,
  { shift_id, started_at }: Shift,
): Promise<void> {
  const response = await api.open(shiftRoutes.pdf, { params: { shift_id } });
  await platform.saveFile(`shift_${started_at.slice(0, 10)}.pdf`, await response.blob());
}
