import { type EvidenceFile, type LeftOut, manifestName, sumsName } from '../../contract/evidence.ts';
import type { ServerWords } from '../../contract/texts/serverWords.ts';
import { formatDuration } from '../../notifications/channels/formatAlarm.ts';
import type { PublishedEvent } from './vehicleFiles.ts';
import type { PlannedClip, PlannedVehicle } from './evidencePlan.ts';

export interface SummaryVehicle {
  plan: PlannedVehicle;
  /** As they stand in the archive, in the order of the plan's clips. */
  clipFiles: readonly EvidenceFile[];
  /** Its picture is an SVG, empty without a position; with the addresses of its ends. Null when it is left out. */
  track: { picture: string; start: string | null; end: string | null } | null;
  /** The first of them; null when they are left out. */
  events: { published: readonly PublishedEvent[]; all: number } | null;
}

export interface Summary {
  depot: { name: string; timezone: string };
  exported_ms: number;
  exporter: string;
  note: string | null;
  app_version: string;
  leftOut: readonly LeftOut[];
  vehicles: readonly SummaryVehicle[];
  /** Of whoever exports it. */
  words: ServerWords;
}

/** A page to print: it stands alone, holds no script, and asks nothing of any network. */
export function summaryHtml(summary: Summary): string {
  const { words } = summary;
  const { say } = words;
  const at = zonedTime(summary.depot.timezone, words);
  const clips = summary.vehicles.reduce((sum, it) => sum + it.clipFiles.length, 0);
  const title = say('summary.title');
  return html`<!doctype html>
    <html lang="${words.language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}, ${summary.depot.name}, ${at(summary.exported_ms)}</title>
        <style>
          ${trusted(summaryStyle)}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        <dl>
          <dt>${say('summary.depot')}</dt>
          <dd>${summary.depot.name}</dd>
          <dt>${say('summary.exported')}</dt>
          <dd>${say('summary.exported_by', { time: at(summary.exported_ms), name: summary.exporter })}</dd>
          <dt>${say('summary.contents')}</dt>
          <dd>${say('summary.contents_value', { clips, vehicles: summary.vehicles.length })}</dd>
          ${
            summary.note === null
              ? null
              : html`<dt>${say('summary.note')}</dt>
                  <dd class="note">${summary.note}</dd>`
          }
        </dl>
        <p>${say('summary.times', { zone: summary.depot.timezone })}</p>
        ${summary.leftOut.map(
          ({ what, reason }) => html`<p class="warning">${say(`summary.without.${what}`, { reason })}</p>`,
        )}
        ${summary.vehicles.map((it) => vehicleSection(it, at, words))}
        <footer>
          <p>${say('summary.sums', { manifest: manifestName, sums: sumsName })}</p>
          <p>${say('summary.made_by', { version: summary.app_version })}</p>
        </footer>
      </body>
    </html> `.html;
}

type At = (ms: number) => string;

function vehicleSection(
  { plan, clipFiles, track, events }: SummaryVehicle,
  at: At,
  words: ServerWords,
): Html {
  const { say } = words;
  const period = { from: at(plan.from_ms), to: at(plan.to_ms) };
  return html`<section>
    <h2>${plan.name}${plan.plate === null ? null : `, ${plan.plate}`}</h2>
    <p>${say('summary.vehicle', { terminal: plan.terminal_id, ...period })}</p>
    <h3>${say('pdf.clips')}</h3>
    ${plan.clips.length === 0 ? html`<p>${say('pdf.none')}</p>` : clipTable(plan, clipFiles, at, words)}
    ${track === null ? null : trackPart(track, words)}
    ${events === null ? null : eventsPart(events, plan, at, words)}
  </section>`;
}

function clipTable(
  { clips }: PlannedVehicle,
  clipFiles: readonly EvidenceFile[],
  at: At,
  words: ServerWords,
): Html {
  const { say } = words;
  return html`<table>
    <thead>
      <tr>
        <th>${say('summary.file')}</th>
        <th>${say('reports.column.channel')}</th>
        <th>${say('summary.from')}</th>
        <th>${say('summary.to')}</th>
        <th>${say('reports.column.duration_s')}</th>
        <th>${say('summary.resolution')}</th>
      </tr>
    </thead>
    <tbody>
      ${clips.map((clip, i) => clipRows(clip, clipFiles[i], at, words))}
    </tbody>
  </table>`;
}

function clipRows(clip: PlannedClip, written: EvidenceFile | undefined, at: At, words: ServerWords): Html {
  const { row, file, channel_name } = clip;
  const { say } = words;
  const isWhole = written?.sha256 === file.sha256;
  return html`<tr>
      <td>${clip.name}</td>
      <td>${row.channel}${channel_name === null ? null : ` ${channel_name}`}</td>
      <td>${at(row.from_ms)}</td>
      <td>${at(row.to_ms)}</td>
      <td>${formatDuration(file.duration_s, words)}</td>
      <td>${file.width} × ${file.height}</td>
    </tr>
    <tr>
      <td class="sum" colspan="6">
        SHA-256 <code>${written?.sha256 ?? ''}</code>,
        ${say('summary.bytes', { size: written?.size_bytes ?? 0 })}${
          isWhole ? null : html` <strong>${say('summary.differs', { sha256: file.sha256 })}</strong>`
        }
      </td>
    </tr>`;
}

function trackPart(
  { picture, start, end }: NonNullable<SummaryVehicle['track']>,
  { say }: ServerWords,
): Html {
  const title = html`<h3>${say('summary.track')}</h3>`;
  if (picture === '')
    return html`${title}
      <p>${say('summary.no_position')}</p>`;
  return html`${title}
    <figure>
      ${trusted(picture)}
      <figcaption>${say('summary.track_key', { start: inBrackets(start), end: inBrackets(end) })}</figcaption>
    </figure>`;
}

const inBrackets = (address: string | null): string => (address === null ? '' : ` (${address})`);

function eventsPart(
  { published, all }: NonNullable<SummaryVehicle['events']>,
  plan: PlannedVehicle,
  at: At,
  { say }: ServerWords,
): Html {
  const title = html`<h3>${say('file.chart.events')}</h3>`;
  if (all === 0)
    return html`${title}
      <p>${say('pdf.none')}</p>`;
  const isPlaced = published.some((it) => it.address !== null);
  const counts = { shown: published.length, total: all, file: `${plan.eventsName}.csv` };
  return html`${title}
    <table>
      <tbody>
        ${published.map(
          ({ row, label, address }) =>
            html`<tr>
              <td class="time">${at(row.time_ms)}</td>
              <td>${label}</td>
              ${isPlaced ? html`<td>${address}</td>` : null}
            </tr>`,
        )}
      </tbody>
    </table>
    ${published.length === all ? null : html`<p>${say('summary.events_first', counts)}</p>`}`;
}

/** Formats times in the depot's time zone, by the clock of whoever exports: `2026-11-21 13:58:50 GMT+01:00`. */
export function zonedTime(timezone: string, { clock }: Pick<ServerWords, 'clock'>): (ms: number) => string {
  // Sweden writes dates as ISO 8601 does.
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'longOffset' });
  return (ms) => {
    const offset = zone.formatToParts(ms).find((it) => it.type === 'timeZoneName')?.value ?? 'GMT';
    return `${clock(local.format(ms))} ${offset}`;
  };
}

/** Text that was escaped, or markup of ours. */
interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | readonly Html[];

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Markup with values in it; every value that is not markup itself is escaped. Null is nothing. The markup's own
 * indentation is left out, that of the values stays.
 */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const plain = markup.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  return {
    html: plain.map((text, at) => (at === 0 ? text : `${textOf(parts[at - 1] ?? null)}${text}`)).join(''),
  };
}

/** Markup that was made elsewhere in full. */
function trusted(markup: string): Html {
  return { html: markup };
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map((it) => it.html).join('\n');
}

/** Dark on white, for paper. */
const summaryStyle = `
body { font: 14px/1.45 system-ui, sans-serif; color: #14181d; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-top: 1px solid #c3c9d1; padding-top: 1rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; }
dt { color: #56606c; }
dd { margin: 0; }
.note { white-space: pre-line; }
.warning { font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #e1e5ea; }
th { font-weight: 600; color: #56606c; }
td { overflow-wrap: anywhere; }
.time { white-space: nowrap; width: 1%; }
.sum { font-size: .85em; color: #3a424c; }
code { font-family: ui-monospace, monospace; }
figure { margin: 0; }
figcaption { color: #56606c; font-size: .85em; }
svg { max-width: 100%; height: auto; border: 1px solid #c3c9d1; }
.ground { fill: #f6f7f9; }
polyline { fill: none; stroke-linejoin: round; stroke-linecap: round; }
.way { stroke: #56606c; stroke-width: 2; }
.unseen { stroke: #8b95a1; stroke-width: 1.5; stroke-dasharray: 3 5; }
.shown { stroke: #0b5bd3; stroke-width: 5; }
.start, .end { fill: #fff; stroke: #14181d; stroke-width: 2.5; }
.scale { fill: none; stroke: #14181d; stroke-width: 1.5; }
.scale-text, .north { font: 12px system-ui, sans-serif; fill: #14181d; }
.north { text-anchor: middle; }
footer { margin-top: 2rem; border-top: 1px solid #c3c9d1; color: #56606c; font-size: .85em; }
@media print { body { margin: 0; max-width: none; font-size: 11px; } section, figure, tr { break-inside: avoid; } section { break-inside: auto; } }
`;
