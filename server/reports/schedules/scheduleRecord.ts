import { z } from 'zod';
import { causes } from '../../contract/causes.ts';
import { stamps } from '../../contract/fields.ts';
import { newReportSchedule, scheduledRun } from '../../contract/reportSchedules.ts';
import type { Measure } from '../../http/quotas.ts';

/** A scheduled report as the store keeps it. */
export const scheduleRecord = z.object({
  ...newReportSchedule.shape,
  schedule_id: z.string(),
  owner_id: z.string(),
  /** The API token that set it up, whose rights bound it further. */
  token_id: z.string().nullable(),
  disabled_reason: z.string().nullable(),
  disabled_causes: causes,
  /** What was due before this was missed by nobody: it was set up, or its time was changed, then. */
  armed_at: z.string(),
  last_due_at: z.string().nullable(),
  last_run: scheduledRun.nullable(),
  ...stamps,
});
export type ScheduleRecord = z.infer<typeof scheduleRecord>;

export const scheduleMeasures: readonly Measure<ScheduleRecord>[] = [
  { quota: 'report_schedules', of: () => 1 },
  { quota: 'report_schedules_of_user', of: () => 1, ownerOf: ({ owner_id }) => owner_id },
];
