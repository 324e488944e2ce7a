import { type EvidenceFile, type LeftOut, manifestName, sumsName } from '../../contract/evidence.ts';
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
}

/** A page to print: it stands alone, holds no script, and asks nothing of any network. */
export function summaryHtml(summary: Summary): string {
  const at = zonedTime(summary.depot.timezone);
  const clips = summary.vehicles.reduce((sum, it) => sum + it.clipFiles.length, 0);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width" />
        <title>Video evidence, ${summary.depot.name}, ${at(summary.exported_ms)}</title>
        <style>
          ${trusted(summaryStyle)}
        </style>
      </head>
      <body>
        <h1>Video evidence</h1>
        <dl>
          <dt>Depot</dt>
          <dd>${summary.depot.name}</dd>
          <dt>Exported</dt>
          <dd>${at(summary.exported_ms)} by ${summary.exporter}</dd>
          <dt>Contents</dt>
          <dd>
            ${clips} ${clips === 1 ? 'clip' : 'clips'} of ${summary.vehicles.length}
            ${summary.vehicles.length === 1 ? 'vehicle' : 'vehicles'}
          </dd>
          ${
            summary.note === null
              ? null
              : html`<dt>Note</dt>
                  <dd class="note">${summary.note}</dd>`
          }
        </dl>
        <p>All times are of ${summary.depot.timezone}. The tables beside this page are in UTC.</p>
        ${summary.leftOut.map((it) => html`<p class="warning">Without ${it.what}: ${it.reason}</p>`)}
        ${summary.vehicles.map((it) => vehicleSection(it, at))}
        <footer>
          <p>
            ${manifestName} names every file with its size and SHA-256; ${sumsName} is read by
            <code>sha256sum --check</code>.
          </p>
          <p>Made by Fleetdeck ${summary.app_version}.</p>
        </footer>
      </body>
    </html> `.html;
}

type At = (ms: number) => string;

function vehicleSection({ plan, clipFiles, track, events }: SummaryVehicle, at: At): Html {
  return html`<section>
    <h2>${plan.name}${plan.plate === null ? null : `, ${plan.plate}`}</h2>
    <p>Terminal ${plan.terminal_id}. From ${at(plan.from_ms)} to ${at(plan.to_ms)}.</p>
    <h3>Clips</h3>
    ${plan.clips.length === 0 ? html`<p>None.</p>` : clipTable(plan, clipFiles, at)}
    ${track === null ? null : trackPart(track)} ${events === null ? null : eventsPart(events, plan, at)}
  </section>`;
}

function clipTable({ clips }: PlannedVehicle, clipFiles: readonly EvidenceFile[], at: At): Html {
  return html`<table>
    <thead>
      <tr>
        <th>File</th>
        <th>Channel</th>
        <th>From</th>
        <th>To</th>
        <th>Length</th>
        <th>Resolution</th>
      </tr>
    </thead>
    <tbody>
      ${clips.map((clip, i) => clipRows(clip, clipFiles[i], at))}
    </tbody>
  </table>`;
}

function clipRows(clip: PlannedClip, written: EvidenceFile | undefined, at: At): Html {
  const { row, file, channel_name } = clip;
  const isWhole = written?.sha256 === file.sha256;
  return html`<tr>
      <td>${clip.name}</td>
      <td>${row.channel}${channel_name === null ? null : ` ${channel_name}`}</td>
      <td>${at(row.from_ms)}</td>
      <td>${at(row.to_ms)}</td>
      <td>${formatDuration(file.duration_s)}</td>
      <td>${file.width} × ${file.height}</td>
    </tr>
    <tr>
      <td class="sum" colspan="6">
        SHA-256 <code>${written?.sha256 ?? ''}</code>, ${written?.size_bytes ?? 0}
        bytes${
          isWhole
            ? null
            : html` <strong>differs from the file fetched from the terminal: ${file.sha256}</strong>`
        }
      </td>
    </tr>`;
}

function trackPart({ picture, start, end }: NonNullable<SummaryVehicle['track']>): Html {
  if (picture === '')
    return html`<h3>Track</h3>
      <p>No position is known of this period.</p>`;
  return html`<h3>Track</h3>
    <figure>
      ${trusted(picture)}
      <figcaption>
        Round: the start${inBrackets(start)}. Square: the end${inBrackets(end)}. Bold: while a clip runs.
        Dashed: no data.
      </figcaption>
    </figure>`;
}

const inBrackets = (address: string | null): string => (address === null ? '' : ` (${address})`);

function eventsPart(
  { published, all }: NonNullable<SummaryVehicle['events']>,
  plan: PlannedVehicle,
  at: At,
): Html {
  if (all === 0)
    return html`<h3>Events</h3>
      <p>None in this period.</p>`;
  const isPlaced = published.some((it) => it.address !== null);
  return html`<h3>Events</h3>
    <table>
      <tbody>
        ${published.map(
          ({ row, words, address }) =>
            html`<tr>
              <td class="time">${at(row.time_ms)}</td>
              <td>${words}</td>
              ${isPlaced ? html`<td>${address}</td>` : null}
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      published.length === all
        ? null
        : html`<p>The first ${published.length} of ${all}; all of them are in ${plan.eventsName}.csv.</p>`
    }`;
}

/** Formats times in the depot's time zone: `2026-11-21 13:58:50 GMT+01:00`. */
export function zonedTime(timezone: string): (ms: number) => string {
  // Sweden writes dates as ISO 8601 does.
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const zone = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'longOffset' });
  return (ms) => {
    const offset = zone.formatToParts(ms).find((it) => it.type === 'timeZoneName')?.value ?? 'GMT';
    return `${local.format(ms)} ${offset}`;
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
