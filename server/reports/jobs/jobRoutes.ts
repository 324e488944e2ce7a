import { pipeline } from 'node:stream/promises';
import { reportJobRoutes } from '../../contract/reportJobs.ts';
import type { Api } from '../../http/api.ts';
import { createLines } from '../../http/lines.ts';
import { streamBytes } from '../../http/unreadAnswers.ts';
import { errorCode } from '../../store/documents/Files.ts';
import type { ReportJobs } from './reportJobs.ts';

export function addReportJobRoutes(api: Api, jobs: ReportJobs): void {
  api.handle(reportJobRoutes.list, ({ viewer }) => ({ items: jobs.list(viewer) }));

  api.handle(reportJobRoutes.create, async ({ body, viewer, response }) => {
    const job = await jobs.start(body, viewer);
    response.set('Location', `/api/v1/reports/jobs/${job.job_id}`);
    return job;
  });

  api.handle(reportJobRoutes.get, ({ params, viewer }) => jobs.get(params.job_id, viewer));

  api.handle(reportJobRoutes.remove, ({ params, viewer }) => jobs.remove(params.job_id, viewer));

  const perUser = createLines();
  api.handle(reportJobRoutes.result, async ({ params, viewer, response, holds }) => {
    const leave = await perUser.enter(viewer.user.user_id);
    try {
      if (response.closed) return;
      const { job, content } = await jobs.result(params.job_id, viewer);
      holds(streamBytes);
      response.attachment(job.name ?? 'report').set({
        'Content-Type': job.content_type ?? 'application/octet-stream',
        'Content-Length': String(job.bytes ?? 0),
      });
      await pipeline(content, response);
    } catch (error) {
      if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    } finally {
      leave();
    }
  });
}
