import { Meter as AriaMeter } from 'react-aria-components';
import './Meter.css';

/** How far something is, from 0 to 1. */
export function Meter({ label, value }: { label: string; value: number }) {
  return (
    <AriaMeter className="meter" aria-label={label} value={value} maxValue={1}>
      <span
        className="meter__value"
        style={{ width: `${Math.round(Math.min(1, Math.max(0, value)) * 100)}%` }}
      />
    </AriaMeter>
  );
}

/** How much of a few steps is reached, in words for screen readers. */
export function StepMeter({ label, steps, of }: { label: string; steps: number; of: number }) {
  return (
    <AriaMeter className="step-meter" aria-label={label} value={steps} maxValue={of}>
      {Array.from({ length: of }, (_, step) => (
        <span
          key={step}
          className={step < steps ? 'step-meter__step step-meter__step--on' : 'step-meter__step'}
        />
      ))}
    </AriaMeter>
  );
}
