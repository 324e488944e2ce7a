import { causeOf } from '../../contract/causeTexts.ts';
import PQueue from 'p-queue';
import { zxyToTileId } from 'pmtiles';
import { maxRegionTiles, type RegionEstimate } from '../../contract/mapRegions.ts';
import type { MapArea } from '../../contract/maps.ts';
import { invalid } from '../../http/apiError.ts';
import type { WorkAsk, WorkerChannel } from '../../workerChannel.ts';
import { MapFileError, tooLarge, type FilePart, type MapAbout } from '../mapFile.ts';
import {
  cutOff,
  headerBytes,
  maxDepth,
  maxDirectoryBytes,
  maxMetadataBytes,
  readHeader,
  tooDeep,
} from '../pmtilesFile.ts';
import { gathered } from './chunks.ts';
import type { Leaf, TileEntries } from './pmtilesDirectory.ts';
import { parallelRequests, type RangeSource } from './rangeSource.ts';
import type { Layout, RegionOrder, RegionResult } from './regions.worker.ts';
import { countTiles, tileRangesOf } from './tileRanges.ts';

export type RegionWork = WorkerChannel<RegionOrder, RegionResult>;

/** Header and root directory lie in them (spec/v3, section 3.1). */
const firstBytes = 16_384;
/** Of the directories that are fetched: the planet at zoom 15 has some 200 MB of them, the largest region a tenth. */
const maxDirectoriesBytes = 64 * 1024 * 1024;
const maxInflatedBytes = 512 * 1024 * 1024;

export interface RegionPlan {
  about: MapAbout;
  /** What the source has of the area. */
  area: MapArea;
  min_zoom: number;
  max_zoom: number;
  layout: Layout;
}

/**
 * Reads from a source which tiles it has of an area, and lays out the file that is made of them.
 *
 * @param files where the beginning of that file is written, and what is to be copied; null: nowhere
 * @throws SourceError, MapFileError, WorkFailed; ApiError 400 for an area with too many tiles, or none
 */
export async function planRegion(
  { area: asked, max_zoom: deepest }: Pick<RegionEstimate, 'area' | 'max_zoom'>,
  source: Pick<RangeSource, 'read' | 'version'>,
  work: RegionWork,
  files: { head: string; segments: string } | null,
  caller: WorkAsk,
): Promise<RegionPlan> {
  const { signal } = caller;
  const start = await source.read(0, firstBytes, signal);
  const header = readHeader(Uint8Array.from(start.subarray(0, headerBytes)));
  const size = source.version()?.bytes ?? 0;

  async function read(offset: number, length: number, most: number, part: FilePart): Promise<Uint8Array> {
    if (length > most) throw tooLarge(part, most);
    if (offset + length > size) throw cutOff();
    if (length === 0) return new Uint8Array();
    const isThere = offset + length <= start.length;
    return isThere ? start.subarray(offset, offset + length) : source.read(offset, length, signal);
  }

  async function run<Kind extends RegionOrder['kind']>(
    order: RegionOrder & { kind: Kind },
  ): Promise<Extract<RegionResult, { kind: Kind }>> {
    // The thread answers each order by its own kind.
    return (await work.run(() => order, caller)) as Extract<RegionResult, { kind: Kind }>;
  }

  const metadata = await read(
    header.jsonMetadataOffset,
    header.jsonMetadataLength,
    maxMetadataBytes,
    'metadata',
  );
  const { about } = await run({ kind: 'describe', header, metadata });
  const area = common(asked, about.area);
  const max_zoom = Math.min(deepest, header.maxZoom);
  if (max_zoom < header.minZoom) {
    throw invalid('max_zoom', `is less than the zoom ${header.minZoom}, at which the file begins`);
  }
  checkCount(countTiles(area, header.minZoom, max_zoom));

  const { leafDirectoryOffset, tileDataOffset, rootDirectoryOffset, rootDirectoryLength } = header;
  const wanted = tileRangesOf(area, header.minZoom, max_zoom);
  const whole = { first: 0, end: zxyToTileId(header.maxZoom + 1, 0, 0) };
  const bounds = {
    leafBytes: Math.min(header.leafDirectoryLength ?? 0, size - leafDirectoryOffset),
    tileBytes: Math.min(header.tileDataLength ?? 0, size - tileDataOffset),
  };
  const parts: TileEntries[] = [];
  let inflated = 0;
  async function readAll(directories: { bytes: Uint8Array; first: number; end: number }[]): Promise<Leaf[]> {
    const said = await run({ kind: 'read', header, wanted, directories, ...bounds });
    inflated += said.inflated;
    if (inflated > maxInflatedBytes) throw directoriesTooLarge(maxInflatedBytes);
    parts.push(said.entries);
    return said.leaves;
  }

  const root = await read(rootDirectoryOffset, rootDirectoryLength, maxDirectoryBytes, 'directory');
  let leaves = await readAll([{ bytes: root, ...whole }]);
  let fetched = 0;
  for (let depth = 1; leaves.length > 0; depth++) {
    if (depth > maxDepth) throw tooDeep();
    fetched += leaves.reduce((sum, it) => sum + it.length, 0);
    if (fetched > maxDirectoriesBytes) throw directoriesTooLarge(maxDirectoriesBytes);
    leaves = await readLevel(leaves);
  }

  async function readLevel(level: readonly Leaf[]): Promise<Leaf[]> {
    const queue = new PQueue({ concurrency: parallelRequests });
    const below = gathered(level).map((group) =>
      queue.add(async () => {
        const [first, last] = [group[0], group.at(-1)];
        if (first === undefined || last === undefined) return [];
        const length = last.offset + last.length - first.offset;
        const offset = leafDirectoryOffset + first.offset;
        const bytes = await read(offset, length, maxDirectoryBytes, 'directory');
        return readAll(
          group.map((leaf) => ({
            bytes: bytes.subarray(leaf.offset - first.offset, leaf.offset - first.offset + leaf.length),
            first: leaf.first,
            end: leaf.end,
          })),
        );
      }),
    );
    try {
      return (await Promise.all(below)).flat();
    } catch (error) {
      queue.clear();
      throw error;
    }
  }

  const entries = new Float64Array(parts.reduce((sum, it) => sum + it.length, 0));
  let at = 0;
  for (const part of parts) {
    entries.set(part, at);
    at += part.length;
  }
  const order = { header, metadata, entries, area, max_zoom, files };
  const { layout } = await run({ kind: 'lay out', ...order });
  return { about, area, min_zoom: header.minZoom, max_zoom, layout };
}

const directoriesTooLarge = (most: number) =>
  new MapFileError(causeOf('map_file.directories_too_large', { mb: most / 1024 / 1024 }));

function checkCount(tiles: number): void {
  if (tiles <= maxRegionTiles) return;
  const inWords = (count: number) => count.toLocaleString('en');
  throw invalid(
    'area',
    `has ${inWords(tiles)} tiles, and at most ${inWords(maxRegionTiles)} may be copied: take a smaller area or a lower zoom`,
  );
}

/** @throws ApiError 400 when they have nothing in common */
function common(asked: MapArea, there: MapArea): MapArea {
  const area = {
    west: Math.max(asked.west, there.west),
    south: Math.max(asked.south, there.south),
    east: Math.min(asked.east, there.east),
    north: Math.min(asked.north, there.north),
  };
  if (area.west < area.east && area.south < area.north) return area;
  throw invalid('area', causeOf('map.area_outside'));
}
