import { servePreview } from '../preview/servePreview.ts';
import { workOnHistory, type HistoryJob, type HistoryResult } from './historyWork.ts';

servePreview<HistoryJob, HistoryResult>(workOnHistory, (result) =>
  result.kind === 'bytes' ? [result.bytes.buffer] : [],
);
