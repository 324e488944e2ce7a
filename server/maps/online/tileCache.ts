import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface TileKey {
  map_id: string;
  z: number;
  x: number;
  y: number;
}

export interface CachedTile {
  /** As it came; empty: the source has no tile there. */
  body: Uint8Array;
  etag: string | null;
  last_modified: string | null;
  /** Until then it is drawn without a question to the source. */
  fresh_until_ms: number;
  /** Another one for other contents. */
  stamp: string;
}

/** Bytes of each map. */
export type CacheUsage = Record<string, number>;

/** A row that is smaller takes as much of the disk. */
const leastBytes = 512;
/** When a tile was used is noted this precisely, so that drawing it again is no write. */
const useStepMs = 3_600_000;
/** What is freed beyond the need, so that not each new tile frees another. */
const freedFraction = 0.05;

export type TileCache = ReturnType<typeof openTileCache>;

/**
 * The tiles of online sources, in a file that may be lost at any time: one that is damaged is made anew. To be used in a
 * worker thread alone.
 */
export function openTileCache(path: string) {
  let { database, ...statements } = open();
  let total = 0;
  let usage: CacheUsage = {};
  count();

  function open() {
    try {
      return openDatabase(path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
      return openDatabase(path);
    }
  }

  function count(): void {
    total = 0;
    usage = {};
    for (const { map_id, bytes } of statements.sums.all() as { map_id: string; bytes: number }[]) {
      usage[map_id] = bytes;
      total += bytes;
    }
  }

  function add(map_id: string, bytes: number): void {
    total += bytes;
    usage[map_id] = Math.max(0, (usage[map_id] ?? 0) + bytes);
  }

  /** One that is damaged while it is used is made anew, too. */
  function use<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      if (!isDamage(error)) throw error;
      database.close();
      for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
      ({ database, ...statements } = open());
      count();
      return act();
    }
  }

  function evict(most_bytes: number): void {
    if (total <= most_bytes) return;
    const goal = most_bytes * (1 - freedFraction);
    database.exec('BEGIN');
    while (total > goal) {
      const oldest = statements.oldest.all() as { rowid: number; map_id: string; bytes: number }[];
      if (oldest.length === 0) break;
      for (const { rowid, map_id, bytes } of oldest) {
        if (total <= goal) break;
        statements.removeRow.run(rowid);
        add(map_id, -bytes);
      }
    }
    database.exec('COMMIT; PRAGMA incremental_vacuum');
  }

  function removeMaps(isGone: (map_id: string) => boolean): void {
    for (const map_id of Object.keys(usage).filter(isGone)) statements.removeMap.run(map_id);
    database.exec('PRAGMA incremental_vacuum');
    count();
  }

  return {
    usage: (): CacheUsage => ({ ...usage }),

    get: ({ map_id, z, x, y }: TileKey, now_ms: number): CachedTile | null =>
      use(() => {
        const row = statements.find.get(map_id, z, x, y) as (CachedTile & { used_ms: number }) | undefined;
        if (row === undefined) return null;
        const { used_ms, ...tile } = row;
        if (Math.abs(now_ms - used_ms) >= useStepMs) statements.touch.run(now_ms, map_id, z, x, y);
        return tile;
      }),

    /** Keeps a tile; what was used least recently goes, until all of them are within `most_bytes`. */
    put: (key: TileKey, tile: CachedTile, now_ms: number, most_bytes: number): void =>
      use(() => {
        const { map_id, z, x, y } = key;
        const { body, etag, last_modified, fresh_until_ms, stamp } = tile;
        const bytes = Math.max(leastBytes, body.length);
        const old = statements.sizeOf.get(map_id, z, x, y) as { bytes: number } | undefined;
        if (old !== undefined) {
          statements.remove.run(map_id, z, x, y);
          add(map_id, -old.bytes);
        }
        if (bytes <= most_bytes) {
          statements.insert.run(
            ...[map_id, z, x, y, bytes, body, etag, last_modified, fresh_until_ms, stamp, now_ms],
          );
          add(map_id, bytes);
        }
        evict(most_bytes);
      }),

    /** The source says that it has not changed. */
    renew: ({ map_id, z, x, y }: TileKey, fresh_until_ms: number): void =>
      use(() => void statements.renew.run(fresh_until_ms, map_id, z, x, y)),

    remove: ({ map_id, z, x, y }: TileKey): void =>
      use(() => {
        statements.remove.run(map_id, z, x, y);
        count();
      }),

    clear: (map_id: string): void => use(() => removeMaps((it) => it === map_id)),
    keepOnly: (map_ids: readonly string[]): void => use(() => removeMaps((it) => !map_ids.includes(it))),
    shrink: (most_bytes: number): void => use(() => evict(most_bytes)),
    close: (): void => database.close(),
  };
}

function openDatabase(path: string) {
  const database = new DatabaseSync(path);
  try {
    // auto_vacuum holds for a file that is new. What a power failure loses is fetched again.
    database.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA journal_size_limit = 4000000; PRAGMA cache_size = -4000;
      CREATE TABLE IF NOT EXISTS tiles (
        map_id TEXT NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL, bytes INTEGER NOT NULL,
        etag TEXT, last_modified TEXT, fresh_until_ms INTEGER NOT NULL, stamp TEXT NOT NULL, used_ms INTEGER NOT NULL,
        body BLOB NOT NULL);
      CREATE UNIQUE INDEX IF NOT EXISTS tile_places ON tiles (map_id, z, x, y);
      CREATE INDEX IF NOT EXISTS tile_uses ON tiles (used_ms, map_id, bytes);`);
    const at = 'map_id = ? AND z = ? AND x = ? AND y = ?';
    return {
      database,
      sums: database.prepare(
        'SELECT map_id, sum(bytes) AS bytes FROM tiles INDEXED BY tile_uses GROUP BY map_id',
      ),
      find: database.prepare(
        `SELECT body, etag, last_modified, fresh_until_ms, stamp, used_ms FROM tiles WHERE ${at}`,
      ),
      sizeOf: database.prepare(`SELECT bytes FROM tiles WHERE ${at}`),
      touch: database.prepare(`UPDATE tiles SET used_ms = ? WHERE ${at}`),
      renew: database.prepare(`UPDATE tiles SET fresh_until_ms = ? WHERE ${at}`),
      remove: database.prepare(`DELETE FROM tiles WHERE ${at}`),
      removeRow: database.prepare('DELETE FROM tiles WHERE rowid = ?'),
      removeMap: database.prepare('DELETE FROM tiles WHERE map_id = ?'),
      oldest: database.prepare('SELECT rowid, map_id, bytes FROM tiles ORDER BY used_ms LIMIT 100'),
      insert: database.prepare(
        `INSERT INTO tiles (map_id, z, x, y, bytes, body, etag, last_modified, fresh_until_ms, stamp, used_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLITE_CORRUPT, SQLITE_NOTADB (sqlite.org/rescode.html) */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
  return code === 11 || code === 26;
}
