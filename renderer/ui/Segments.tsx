import type { LucideIcon } from 'lucide-react';
import { Icon } from './Icon.tsx';
import './Segments.css';

export interface Segment<T extends string> {
  id: T;
  label: string;
  icon?: LucideIcon;
  /** Seen, and not to be chosen now; why stands beside it. */
  disabled?: boolean;
}

/** One of a few that are all seen. */
export function SegmentedControl<T extends string>({
  label,
  options,
  value,
  onChange,
  size = 'normal',
}: {
  /** Spoken. */
  label: string;
  options: readonly Segment<T>[];
  value: T;
  onChange: (value: T) => void;
  size?: 'normal' | 'small';
}) {
  return (
    <div className={`segment-row segment-row--${size}`} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.id}
          type="button"
          className="segment-row__one"
          aria-pressed={option.id === value}
          disabled={option.disabled ?? false}
          onClick={() => onChange(option.id)}
        >
          {option.icon !== undefined && <Icon of={option.icon} />}
          {option.label}
        </button>
      ))}
    </div>
  );
}
