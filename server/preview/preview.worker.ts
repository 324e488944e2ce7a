import type { PreviewJob, PreviewResult } from './previewWork.ts';
import { previewRule } from './rulePreview.ts';
import { servePreview } from './servePreview.ts';
import { previewVisits } from './visitPreview.ts';

servePreview<PreviewJob, PreviewResult>((order, reader, onProgress) =>
  order.kind === 'visits'
    ? { kind: 'visits', preview: previewVisits(order, reader, onProgress) }
    : { kind: 'firings', preview: previewRule(order, reader, onProgress) },
);
