import type { Severity } from '../../../server/contract/rules.ts';

const SHAPES = {
  alarm: { path: 'M8 2.5L14.5 13.5H1.5Z', colour: 'var(--alarm)' },
  warning: { path: 'M8 2L14 8L8 14L2 8Z', colour: 'var(--warn)' },
  info: { path: 'M8 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8Z', colour: 'var(--text-3)' },
} as const;

/** An event on the bar of recordings: filled where its video was fetched (LOOKS 3). */
export function EventMark({ severity, isFetched }: { severity: Severity; isFetched: boolean }) {
  const { path, colour } = SHAPES[severity];
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden>
      <path
        d={path}
        fill={isFetched ? colour : 'var(--bg-1)'}
        stroke={colour}
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  );
}
