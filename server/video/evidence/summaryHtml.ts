import type { EvidenceFile, LeftOut } from '../../contract/evidence.ts';
import { manifestName, sumsName } from '../../contract/evidence.ts';
import { spanText } from '../../notifications/channels/alarmText.ts';
import type { PublishedEvent } from './eventFiles.ts';
import type { PlannedClip, PlannedVehicle } from './evidencePlan.ts';
import { html, trusted, type Html } from './htmlText.ts';
import { summaryStyle } from './summaryStyle.ts';
import { zonedTime } from './zonedTime.ts';

export interface SummaryVehicle {
  plan: PlannedVehicle;
  /** As they stand in the archive, in the order of the plan's clips. */
  clipFiles: readonly EvidenceFile[];
  /** The track as an SVG, empty without a position; null when it is left out. */
  picture: string | null;
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

function vehicleSection({ plan, clipFiles, picture, events }: SummaryVehicle, at: At): Html {
  return html`<section>
    <h2>${plan.name}${plan.plate === null ? null : `, ${plan.plate}`}</h2>
    <p>Terminal ${plan.terminal_id}. From ${at(plan.from_ms)} to ${at(plan.to_ms)}.</p>
    <h3>Clips</h3>
    <table>
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
        ${plan.clips.map((clip, i) => clipRows(clip, clipFiles[i], at))}
      </tbody>
    </table>
    ${picture === null ? null : trackPart(picture)} ${events === null ? null : eventsPart(events, plan, at)}
  </section>`;
}

function clipRows(clip: PlannedClip, written: EvidenceFile | undefined, at: At): Html {
  const { row, file, channel_name } = clip;
  const isWhole = written?.sha256 === file.sha256;
  return html`<tr>
      <td>${clip.name}</td>
      <td>${row.channel}${channel_name === null ? null : ` ${channel_name}`}</td>
      <td>${at(row.from_ms)}</td>
      <td>${at(row.to_ms)}</td>
      <td>${spanText(file.duration_s)}</td>
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

function trackPart(picture: string): Html {
  if (picture === '')
    return html`<h3>Track</h3>
      <p>No position is known of this period.</p>`;
  return html`<h3>Track</h3>
    <figure>
      ${trusted(picture)}
      <figcaption>Round: the start. Square: the end. Bold: while a clip runs. Dashed: no data.</figcaption>
    </figure>`;
}

function eventsPart(
  { published, all }: NonNullable<SummaryVehicle['events']>,
  plan: PlannedVehicle,
  at: At,
): Html {
  if (all === 0)
    return html`<h3>Events</h3>
      <p>None in this period.</p>`;
  return html`<h3>Events</h3>
    <table>
      <tbody>
        ${published.map(
          ({ row, words }) =>
            html`<tr>
              <td class="time">${at(row.time_ms)}</td>
              <td>${words}</td>
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
