import type { ReportResult } from './reportOrder.ts';

/** What the host is given of a report: the bytes that it sends, so that it neither holds rows nor writes them. */
export type EncodedReport =
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }
  /** There is more of it than one answer holds. */
  | { kind: 'too_long'; max: string };

/** 500,000 lines of CSV are some 130 MB. */
const maxBytes = 160 * 1024 * 1024;

/** JSON or CSV in UTF-8. */
export function encodeReport(result: ReportResult, max: number = maxBytes): EncodedReport {
  if (result.kind === 'too_long') return { kind: 'too_long', max: `${result.max} rows` };
  const text = result.kind === 'csv' ? result.text : JSON.stringify(result.report);
  if (Buffer.byteLength(text) > max) return { kind: 'too_long', max: `${max} bytes` };
  return { kind: 'bytes', bytes: new TextEncoder().encode(text) };
}
