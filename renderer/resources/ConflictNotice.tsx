import { useState, type ReactNode } from 'react';
import { useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import '../ui/manage.css';

export interface Difference {
  label: string;
  theirs: string;
  yours: string;
}

/** Somebody else saved what is being changed here: what each wrote, and the ways on. */
export function ConflictNotice({
  what,
  changedAt,
  differences,
  busy,
  onTake,
  onOverwrite,
  children,
}: {
  /** "Someone else changed this vehicle" */
  what: string;
  /** When they saved it; null when they deleted it. */
  changedAt: string | null;
  /** Left out: cannot be compared. */
  differences?: readonly Difference[];
  busy: boolean;
  /** Goes on from theirs; what was typed here is gone. */
  onTake: () => void;
  onOverwrite: () => void;
  /** Further ways on. */
  children?: ReactNode;
}) {
  const t = useT();
  const now = useNow();
  const [compares, setCompares] = useState(false);
  return (
    <div className="conflict" role="group" aria-label={what}>
      {/* Said once; the age in the sentence below goes on counting. */}
      <span className="unseen" role="alert">
        {what}
      </span>
      <p className="strong">
        {changedAt === null ? what : t('conflict.ago', { what, age: formatAge(now - Date.parse(changedAt)) })}
      </p>
      {compares && differences !== undefined && differences.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('conflict.field')}</th>
              <th scope="col">{t('conflict.theirs')}</th>
              <th scope="col">{t('conflict.yours')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ label, theirs, yours }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{theirs}</td>
                <td>{yours}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {compares && differences?.length === 0 && <p className="quiet">{t('conflict.none')}</p>}
      <div className="manage__buttons">
        {changedAt !== null && (
          <>
            {differences !== undefined && !compares && (
              <Button size="small" onPress={() => setCompares(true)}>
                {t('conflict.compare')}
              </Button>
            )}
            <Button size="small" disabled={busy} onPress={onOverwrite}>
              {t('conflict.overwrite')}
            </Button>
            <Button size="small" disabled={busy} onPress={onTake}>
              {t('conflict.take')}
            </Button>
          </>
        )}
        {children}
      </div>
    </div>
  );
}
