import type { ReactNode } from 'react';
import './Meter.css';

/** How far something is, from 0 to 1. */
export function Meter({ label, value }: { label: string; value: number }) {
  return (
    <Bar className="meter" label={label} value={value} of={1}>
      <span className="meter__value" style={{ width: `${percentOf(value)}%` }} />
    </Bar>
  );
}

/** How much of a few steps is reached, in words for screen readers. */
export function StepMeter({ label, steps, of }: { label: string; steps: number; of: number }) {
  return (
    <Bar className="step-meter" label={label} value={steps} of={of}>
      {Array.from({ length: of }, (_, step) => (
        <span
          key={step}
          className={step < steps ? 'step-meter__step step-meter__step--on' : 'step-meter__step'}
        />
      ))}
    </Bar>
  );
}

const percentOf = (part: number): number => Math.round(Math.min(1, Math.max(0, part)) * 100);

function Bar({
  className,
  label,
  value,
  of,
  children,
}: {
  className: string;
  label: string;
  value: number;
  of: number;
  children: ReactNode;
}) {
  return (
    <div
      className={className}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={value}
      aria-valuetext={`${percentOf(value / of)}%`}
    >
      {children}
    </div>
  );
}
