import { z } from 'zod';
import { causes } from './causes.ts';
import { id, time } from './fields.ts';
import { problemCodes } from './problem.ts';
import { reportKinds } from './reportRows.ts';
import { reportFormats, reportTypes } from './reports.ts';
import { route } from './route.ts';

const tag = 'Reports';

/** So long a result is kept. */
export const resultKeptH = 24;

const maxQueryChars = 16_384;
const text = z.union([z.string().max(4_000), z.number(), z.boolean()]);

/** What a report is asked with, by the names of its operation; each kind checks it as its operation does. */
export const reportQueryFields = z
  .record(z.string().max(64), z.union([text, z.array(text).max(1_000)]))
  .refine((query) => query['format'] === undefined, 'has a format: it stands beside the query')
  .refine(
    (query) => JSON.stringify(query).length <= maxQueryChars,
    `is longer than ${maxQueryChars} characters as JSON`,
  );

export const reportFileFormat = z.enum(reportFormats).exclude(['json']);
export type ReportFileFormat = z.infer<typeof reportFileFormat>;

const askedReport = {
  kind: z.enum(reportKinds),
  format: reportFileFormat,
};

const reportJobState = z.enum(['queued', 'running', 'done', 'failed']);

export const reportJob = z
  .object({
    job_id: id,
    ...askedReport,
    query: reportQueryFields,
    state: reportJobState,
    progress: z.number().min(0).max(1),
    error: z
      .object({ code: z.enum(problemCodes), detail: z.string(), causes })
      .nullable()
      .meta({ description: 'why it failed' }),
    name: z.string().nullable().meta({ description: 'of the file, once it is there' }),
    bytes: z.int().nullable(),
    created_at: time,
    finished_at: time.nullable(),
    expires_at: time.nullable().meta({ description: 'when it and its result are deleted' }),
  })
  .meta({ id: 'ReportJob' });
export type ReportJob = z.infer<typeof reportJob>;

const params = z.object({ job_id: id });
const common = { tag, access: { right: 'reports', level: 'read' } } as const;
const path = '/api/v1/reports/jobs';

export const reportJobRoutes = {
  list: route({
    ...common,
    id: 'listReportJobs',
    method: 'GET',
    path,
    summary: 'List your report jobs, newest first; with an API token, those that it started',
    reply: z.object({ items: z.array(reportJob) }),
  }),
  create: route({
    ...common,
    id: 'createReportJob',
    method: 'POST',
    path,
    summary: `Run a report in the background; its result is kept for ${resultKeptH} hours. One that was under way when the server stopped starts again`,
    body: z
      .strictObject({
        ...askedReport,
        query: reportQueryFields.meta({
          description: 'as of the operation of this kind, without `format`: `from` and `to` at least',
        }),
      })
      .meta({ id: 'NewReportJob' }),
    reply: reportJob,
    status: 201,
    errors: ['not_found', 'quota_exceeded', 'disk_full'],
  }),
  get: route({
    ...common,
    id: 'getReportJob',
    method: 'GET',
    path: `${path}/{job_id}`,
    summary: 'Get a report job, to see how far it is',
    params,
    reply: reportJob,
  }),
  remove: route({
    ...common,
    id: 'deleteReportJob',
    method: 'DELETE',
    path: `${path}/{job_id}`,
    summary: 'Cancel a report job, or delete it with its result',
    params,
  }),
  result: route({
    ...common,
    id: 'getReportJobResult',
    method: 'GET',
    path: `${path}/{job_id}/result`,
    summary: 'Get the file that a report job has made',
    params,
    exports: true,
    bytes: { contentTypes: reportFileFormat.options.map((format) => reportTypes[format]) },
    errors: ['task_not_done', 'file_missing'],
  }),
};
