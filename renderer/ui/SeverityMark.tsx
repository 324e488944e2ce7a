import type { Severity } from '../../server/contract/rules.ts';
import { useT } from '../i18n/useT.ts';

/** Alarm: filled triangle. Warning: outlined diamond. Info: small ring. */
export function SeverityMark({ severity, spoken = true }: { severity: Severity; spoken?: boolean }) {
  const t = useT();
  const name = spoken
    ? ({ role: 'img', 'aria-label': t(`severity.${severity}`) } as const)
    : ({ 'aria-hidden': true } as const);
  return (
    <svg className="severity" width={16} height={16} viewBox="0 0 16 16" fill="none" {...name}>
      {severity === 'alarm' && (
        <>
          <path fill="var(--alarm)" d="M8 1.5L15.5 14.5H.5Z" />
          <path stroke="var(--bg-1)" strokeWidth={1.7} strokeLinecap="round" d="M8 6v4M8 12.4v.01" />
        </>
      )}
      {severity === 'warning' && (
        <>
          <path
            stroke="var(--warn)"
            strokeWidth={1.8}
            strokeLinejoin="round"
            d="M8 1.8L14.2 8L8 14.2L1.8 8Z"
          />
          <path stroke="var(--warn)" strokeWidth={1.7} strokeLinecap="round" d="M8 5.6v2.8M8 10.7v.01" />
        </>
      )}
      {severity === 'info' && <circle cx={8} cy={8} r={3} stroke="var(--text-3)" strokeWidth={1.5} />}
    </svg>
  );
}

/** The class that colours words of a severity; none for an info. */
export const severityTone = (severity: Severity): string =>
  ({ alarm: 'in-alarm', warning: 'in-warning', info: '' })[severity];
