import type { Cause } from '../contract/causes.ts';
import { detailOf } from '../contract/causeTexts.ts';
import { troubleCodes, type Health as SeenHealth, type TroubleCode } from '../contract/health.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';

/** Something that keeps the host from working fully. */
export interface Trouble {
  code: TroubleCode;
  since_ms: number;
  /** In words, for dealers: it may name addresses and files of this machine. */
  detail: string;
  causes?: Cause[];
}

/** What troubles the host, from moment to moment. Whoever knows of a trouble sets it, and takes it back. */
export type Health = ReturnType<typeof createHealth>;

const codes = Object.keys(troubleCodes) as TroubleCode[];

export function createHealth(clock: { now(): number }) {
  const troubles = new Map<TroubleCode, Trouble>();
  const listeners = new Set<() => void>();

  /** The worst first, which is the order of the codes. */
  const present = () => codes.flatMap((code) => troubles.get(code) ?? []);

  function status(): SeenHealth['status'] {
    const severities = present().map(({ code }) => troubleCodes[code]);
    return severities.includes('failing') ? 'failing' : severities.length > 0 ? 'degraded' : 'ok';
  }

  const seen = (inDetail: boolean): SeenHealth => ({
    status: status(),
    reasons: present().map(({ code, since_ms, detail, causes }) => ({
      code,
      since: new Date(since_ms).toISOString(),
      detail: inDetail ? detail : null,
      ...(inDetail && causes !== undefined ? { causes } : {}),
    })),
  });

  return {
    /** A trouble has begun, or has other words than before; null: it is over. */
    set(code: TroubleCode, why: string | Cause | Cause[] | null): void {
      const causes = why === null || typeof why === 'string' ? undefined : [why].flat();
      const detail = causes === undefined ? (why as string | null) : detailOf(causes);
      const before = troubles.get(code);
      if ((before?.detail ?? null) === detail) return;
      if (detail === null) troubles.delete(code);
      else
        troubles.set(code, {
          code,
          since_ms: before?.since_ms ?? clock.now(),
          detail,
          ...(causes === undefined ? {} : { causes }),
        });
      for (const listener of listeners) listener();
    },
    has: (code: TroubleCode): boolean => troubles.has(code),
    troubles: present,
    status,
    asSeenBy: (viewer: Viewer): SeenHealth => seen(isDealer(viewer)),
    asSeenByItsOwner: (): SeenHealth => seen(true),
    /** Called after each change; returns its undo. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
