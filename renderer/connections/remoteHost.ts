import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { TextKey, Translate } from '../i18n/text.ts';
import { ShellFault, type Platform } from '../platform/platform.ts';
import { useConsole } from '../RootContext.tsx';
import { detailText } from '../ui/formFaults.ts';

const facts = z.object({ api: z.enum(['same', 'older', 'newer', 'different']) });

/** What an operator is to know of a host of another version; null: nothing. */
export const apiTexts = {
  same: null,
  older: 'connections.older',
  newer: 'connections.newer',
  different: 'connections.different',
} as const satisfies Record<z.infer<typeof facts>['api'], TextKey | null>;

/** Errors of the shell are sentences for the operator. */
export function asSentence(error: unknown, t: Translate): string {
  if (error instanceof ShellFault) return detailText({ detail: error.message, causes: error.causes }, t);
  return error instanceof Error ? error.message : String(error);
}

export const hostOf = (url: string): string => new URL(url).host;

/** By which other computers reach the host of this page: the console of a remote one is at an address of this computer alone. */
export const originForOthers = ({ connection }: Pick<Platform, 'connection'>): string =>
  connection()?.url ?? window.location.origin;

/** How the remote host of this page differs from the console, in a sentence; null where it does not, or is not known. */
export function useApiDifference(): TextKey | null {
  const { platform } = useConsole();
  const [key, setKey] = useState<TextKey | null>(null);
  useEffect(() => {
    if (platform.connection() === null) return undefined;
    const abort = new AbortController();
    const read = async () => {
      const response = await fetch('/remote-host.json', { signal: abort.signal });
      const parsed = facts.safeParse(await response.json());
      if (parsed.success) setKey(apiTexts[parsed.data.api]);
    };
    // Whether the host can be reached at all is said by the login.
    read().catch(() => undefined);
    return () => abort.abort();
  }, [platform]);
  return key;
}
