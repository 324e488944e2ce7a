import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import './TextArea.css';

export interface TextAreaProps<Line extends object> {
  label: string;
  lines: readonly Line[];
  onChange: (lines: Line[]) => void;
  fault: string | null;
  /** Of each line: its columns, the last of them for the button that removes it. */
  lineClass: string;
  /** The fields of a line; `number` counts from 1. */
  fields: (line: Line, number: number, set: (part: Partial<Line>) => void) => ReactNode;
  removeLabel: (number: number) => string;
  addLabel: string;
  /** What a further line begins with. */
  newLine: () => Line;
  /** Lines that always stay, and as many as there may be. */
  min?: number;
  max?: number;
}

/** A field of several lines, each of fields of its own: they are added, changed and removed one by one. */
export function TextArea<Line extends object>({
  label,
  lines,
  onChange,
  fault,
  lineClass,
  fields,
  removeLabel,
  addLabel,
  newLine,
  min = 0,
  max = Infinity,
}: TextAreaProps<Line>) {
  const set = (at: number, part: Partial<Line>) =>
    onChange(lines.map((it, index) => (index === at ? { ...it, ...part } : it)));
  return (
    <div role="group" aria-label={label}>
      <div className="field">
        <span className="field__label">{label}</span>
        {lines.map((line, index) => (
          // Lines have no name of their own while it is being typed.
          <div key={index} className={lineClass}>
            {fields(line, index + 1, (part) => set(index, part))}
            <IconButton
              icon={X}
              size="small"
              label={removeLabel(index + 1)}
              disabled={lines.length <= min}
              onPress={() => onChange(lines.filter((_, at) => at !== index))}
            />
          </div>
        ))}
        {fault !== null && (
          <span className="field__fault" role="alert">
            {fault}
          </span>
        )}
      </div>
      <div className="lines-field__add">
        <Button
          size="small"
          kind="quiet"
          icon={Plus}
          disabled={lines.length >= max}
          onPress={() => onChange([...lines, newLine()])}
        >
          {addLabel}
        </Button>
      </div>
    </div>
  );
}
