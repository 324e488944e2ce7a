import { videoRoutes } from '../../contract/video.ts';
import type { Api } from '../../http/api.ts';
import { doneFile } from '../doneFile.ts';
import type { Tasks } from '../tasks.ts';
import type { DoneTask } from './evidencePlan.ts';
import type { SendEvidence } from './sendEvidence.ts';

export function addEvidenceRoute(api: Api, tasks: Pick<Tasks, 'find'>, sendEvidence: SendEvidence): void {
  api.handle(videoRoutes.evidence, async ({ query, ...call }) => {
    const clips: DoneTask[] = [];
    for (const taskId of new Set(query.tasks)) {
      const row = await tasks.find(taskId, call.viewer);
      clips.push({ row, ...doneFile(row) });
    }
    await sendEvidence({ ...call, clips, note: query.note });
  });
}
