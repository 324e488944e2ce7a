import { z } from 'zod';
import { route } from './route.ts';

const tag = 'Users';

export const reportGroupings = ['none', 'vehicle', 'driver', 'group', 'day', 'week', 'month'] as const;

const columnKey = z.string().min(1).max(64);

/** How an operator has one kind of report shown. */
export const reportLayout = z
  .strictObject({
    columns: z
      .array(columnKey)
      .max(60)
      .nullable()
      .default(null)
      .meta({ description: 'keys of the columns in their order; null: those that are usual' }),
    sort: z
      .strictObject({ column: columnKey, desc: z.boolean() })
      .nullable()
      .default(null)
      .meta({ description: 'null: as is usual' }),
    group_by: z.enum(reportGroupings).default('none'),
  })
  .meta({ id: 'ReportLayout' });
export type ReportLayout = z.infer<typeof reportLayout>;

const maxKinds = 20;
const maxLayoutsChars = 20_000;

const kindName = z
  .string()
  .max(32)
  .regex(/^[a-z]+(-[a-z]+)*$/);
const savedLayouts = z.record(kindName, reportLayout).check(({ value, issues }) => {
  const fault = (message: string) => issues.push({ code: 'custom', input: value, message });
  if (Object.keys(value).length > maxKinds) fault(`has more than ${maxKinds} kinds of report`);
  else if (JSON.stringify(value).length > maxLayoutsChars)
    fault(`is longer than ${maxLayoutsChars} characters as JSON`);
});

const reportLayouts = z
  .object({
    version: z.int(),
    layouts: z.record(z.string(), reportLayout).meta({ description: 'by kind of report' }),
  })
  .meta({ id: 'ReportLayouts' });
export type ReportLayouts = z.infer<typeof reportLayouts>;

export const reportLayoutRoutes = {
  get: route({
    id: 'getReportLayouts',
    tag,
    method: 'GET',
    path: '/api/v1/me/report-layouts',
    summary: 'Get the columns, order and grouping that the caller has saved for each kind of report',
    access: 'user',
    reply: reportLayouts,
  }),
  put: route({
    id: 'putReportLayouts',
    tag,
    method: 'PUT',
    path: '/api/v1/me/report-layouts',
    summary: 'Replace the saved report layouts of the caller',
    access: 'user',
    versioned: true,
    bodyLimit: 128 * 1024,
    body: z.strictObject({ layouts: savedLayouts }).meta({ id: 'NewReportLayouts' }),
    reply: reportLayouts,
    errors: ['version_conflict'],
  }),
};
