import { stat, readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { DesktopLink, DesktopOpening } from './bridge/channels.ts';

/** The endings of what the console imports; electron-builder.yml associates most of them. */
const ENDINGS = ['.pmtiles', '.mbtiles', '.geojson', '.json', '.kml', '.gpx', '.csv', '.tsv', '.txt'];
/** All of it is in memory twice on its way to the page; larger maps are dropped on the window, which reads as it sends. */
const MOST_FILE_BYTES = 256 * 1024 ** 2;
/** More were opened by mistake. */
const MOST_WAITING = 10;

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** As the console writes a point of the map; whether there is one, the page says. */
const POINT = String.raw`-?\d{1,2}\.\d{5},-?\d{1,3}\.\d{5}`;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z`;
/** Some systems add a slash to what has a host. */
const LINK = new RegExp(
  `^fleetdeck://(?:(vehicle|alarm|event|incident|geofence|task)/(${ID})/?|point/(${POINT})/?|history/(${ID})/?[?]at=(${TIME}))$`,
);

/**
 * `fleetdeck://vehicle/ID`, and so with alarm, event, incident, geofence and task, `fleetdeck://point/LAT,LON`, or
 * `fleetdeck://history/ID?at=TIME`: a UUID, degrees, and a time in UTC. Null for all else: such a link comes from any page
 * and any mail.
 */
export function readLink(text: string): DesktopLink | null {
  const [, kind, id, point, past, at] = LINK.exec(text) ?? [];
  if (point !== undefined) return { kind: 'point', id: point, at: null };
  if (past !== undefined && at !== undefined) return { kind: 'history', id: past, at };
  return kind === undefined || id === undefined ? null : { kind, id, at: null };
}

/**
 * What the system gives this program to open, until the page takes it. Paths come from the system alone: a page names
 * none.
 *
 * @param deps.announce says to the page that something waits
 */
export function createOpenings(deps: { announce: () => void; warn: (words: string) => void }) {
  const waiting: ({ link: DesktopLink } | { path: string })[] = [];

  function add(it: (typeof waiting)[number]): void {
    if (waiting.length >= MOST_WAITING) {
      deps.warn(`not opened: ${MOST_WAITING} others wait`);
      return;
    }
    waiting.push(it);
    deps.announce();
  }

  function addLink(text: string): void {
    const link = readLink(text);
    if (link === null) deps.warn(`refused link ${text.slice(0, 200)}`);
    else add({ link });
  }

  return {
    addLink,
    addFile: (path: string) => add({ path }),
    /** Those of a start's arguments that are links or files, named from the folder in which it was started. */
    addArguments(args: readonly string[], workingFolder: string): void {
      for (const it of args) {
        if (/^fleetdeck:/i.test(it)) addLink(it);
        else if (!it.startsWith('-') && ENDINGS.includes(extname(it).toLowerCase()))
          add({ path: resolve(workingFolder, it) });
      }
    },
    /** The next one; null: nothing waits. */
    async take(): Promise<DesktopOpening | null> {
      const next = waiting.shift();
      if (next === undefined) return null;
      if ('link' in next) return { kind: 'link', link: next.link };
      return openFile(next.path, deps.warn);
    },
  };
}

async function openFile(path: string, warn: (words: string) => void): Promise<DesktopOpening> {
  const name = basename(path);
  try {
    const found = await stat(path);
    if (!found.isFile()) return { kind: 'unreadable', name };
    if (found.size > MOST_FILE_BYTES) return { kind: 'too large', name };
    const { buffer } = Uint8Array.from(await readFile(path));
    return { kind: 'file', name, content: buffer };
  } catch (error) {
    warn(`not opened: ${error instanceof Error ? error.message : path}`);
    return { kind: 'unreadable', name };
  }
}
