import { reportScheduleRoutes } from '../../contract/reportSchedules.ts';
import type { Api } from '../../http/api.ts';
import { paginate } from '../../http/pagination.ts';
import type { ReportSchedules } from './reportSchedules.ts';

export function addReportScheduleRoutes(api: Api, schedules: ReportSchedules): void {
  api.handle(reportScheduleRoutes.list, ({ query, viewer }) => {
    const { items, next_cursor } = paginate(
      schedules.visible(viewer),
      (it) => [it.name, it.schedule_id],
      query,
    );
    return { items: items.map((it) => schedules.present(it)), next_cursor };
  });

  api.handle(reportScheduleRoutes.create, async ({ body, viewer, response }) => {
    const schedule = await schedules.add(body, viewer);
    response.set('Location', `/api/v1/reports/schedules/${schedule.schedule_id}`);
    return schedules.present(schedule);
  });

  api.handle(reportScheduleRoutes.get, ({ params, viewer }) =>
    schedules.present(schedules.find(params.schedule_id, viewer)),
  );

  api.handle(reportScheduleRoutes.patch, async ({ params, body, viewer, ifMatch }) =>
    schedules.present(await schedules.patch(params.schedule_id, body, viewer, ifMatch)),
  );

  api.handle(reportScheduleRoutes.remove, ({ params, viewer, ifMatch }) =>
    schedules.remove(params.schedule_id, viewer, ifMatch),
  );

  api.handle(reportScheduleRoutes.run, ({ params, viewer }) =>
    schedules.present(schedules.run(params.schedule_id, viewer)),
  );
}
