import type { Message } from './sender.ts';

const maxSubject = 200;

/** `[alarm] V 17: Overspeed, 94 km/h, limit 60`, in one line whatever the names hold. */
export function subjectOf({ type, text, notification, more }: Message): string {
  const mark = type === 'test' ? 'test' : (notification?.severity ?? '');
  const end = `${notification?.late === true ? ' (late)' : ''}${more === undefined ? '' : ` and ${more.count} more`}`;
  const line = `[${mark}] ${text}`.replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return `${line.slice(0, maxSubject - end.length)}${end}`;
}

export function textOf(message: Message): string {
  const lines = linesOf(message).map(([name, value]) => `${name}: ${value}`);
  const more = moreOf(message);
  return [
    message.text,
    '',
    ...lines,
    ...(more === null ? [] : ['', more.title, ...more.lines.map((it) => `- ${it}`)]),
    '',
    closing(message),
    '',
  ].join('\n');
}

/** No pictures, styles or links from elsewhere: nothing is fetched, so nobody can track that it was read. */
export function htmlOf(message: Message): string {
  const rows = linesOf(message).map(
    ([name, value]) =>
      `<tr><td style="padding:2px 12px 2px 0;color:#666">${escaped(name)}</td><td>${escaped(value)}</td></tr>`,
  );
  const more = moreOf(message);
  return [
    '<!doctype html><html><body style="font-family:sans-serif;font-size:14px">',
    `<p style="font-size:16px"><strong>${escaped(message.text)}</strong></p>`,
    `<table style="border-collapse:collapse">${rows.join('')}</table>`,
    ...(more === null
      ? []
      : [
          `<p>${escaped(more.title)}</p>`,
          `<ul>${more.lines.map((it) => `<li>${escaped(it)}</li>`).join('')}</ul>`,
        ]),
    `<p style="color:#666">${escaped(closing(message))}</p>`,
    '</body></html>',
  ].join('\n');
}

function linesOf({ notification, vehicle, rule, timezone }: Message): [string, string][] {
  const lines: [string, string][] = [];
  if (vehicle !== null) {
    lines.push(['Vehicle', vehicle.plate === null ? vehicle.name : `${vehicle.name}, ${vehicle.plate}`]);
  }
  if (notification !== null) {
    const { first_time, last_time, count, lat, lon, late, severity } = notification;
    lines.push(['Time', timeText(first_time, timezone)]);
    if (count > 1) lines.push(['Occurrences', `${count}, last at ${timeText(last_time, timezone)}`]);
    if (late) lines.push(['Late', 'the vehicle sent this some time after it happened']);
    if (lat !== null && lon !== null) lines.push(['Location', `${lat.toFixed(5)}, ${lon.toFixed(5)}`]);
    lines.push(['Severity', severity]);
  }
  lines.push(['Rule', rule.name]);
  return lines;
}

/** What else happened since the last mail, which went out a short while ago. */
function moreOf({ more, timezone }: Message): { title: string; lines: string[] } | null {
  if (more === undefined) return null;
  const { count, listed } = more;
  const rest = count - listed.length;
  return {
    title: `${count} more ${count === 1 ? 'notification' : 'notifications'}:`,
    lines: [
      ...listed.map(({ time, text, rule }) => `${timeText(time, timezone)}: ${text} (${rule})`),
      ...(rest === 0 ? [] : [`${rest} more, listed in Events`]),
    ],
  };
}

function closing({ type, depot }: Message): string {
  return type === 'test'
    ? `Test from ${depot}. No alarm was raised.`
    : `Sent by Fleetdeck, ${depot}. Acknowledge it in the console.`;
}

/** In the time that the depot lives by: `21 Nov 2026, 06:43:00 (Europe/Berlin)`. */
function timeText(time: string, timezone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  return `${format.format(Date.parse(time))} (${timezone})`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
