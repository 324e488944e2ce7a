import type { PastOrder, PastResult } from './pastWork.ts';
import { previewRule } from './rulePreview.ts';
import { servePast } from './servePast.ts';
import { previewVisits } from './visitPreview.ts';

servePast<PastOrder, PastResult>((order, reader, onProgress) =>
  order.kind === 'visits'
    ? { kind: 'visits', preview: previewVisits(order, reader, onProgress) }
    : { kind: 'firings', preview: previewRule(order, reader, onProgress) },
);
