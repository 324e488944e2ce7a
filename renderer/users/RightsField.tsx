import { meetsLevel, rightNames, type RightLevel, type Rights } from '../../server/contract/rights.ts';
import { useT } from '../i18n/useT.ts';
import { SegmentedControl } from '../ui/Segments.tsx';

const LEVELS: readonly RightLevel[] = ['none', 'read', 'write'];

/** What a user may do, area by area, with what each level means in words; or a token, of what its owner may do. */
export function RightsField({
  value,
  most,
  onChange,
}: {
  value: Rights;
  /** Levels beyond these cannot be chosen. */
  most?: Rights;
  onChange: (value: Rights) => void;
}) {
  const t = useT();
  return (
    <div className="rights" role="group" aria-label={t('users.rights')}>
      {rightNames.map((name) => (
        <div key={name} className="rights__row">
          <span className="strong">{t(`users.right.${name}`)}</span>
          <SegmentedControl
            size="small"
            label={t(`users.right.${name}`)}
            value={value[name]}
            options={LEVELS.map((id) => ({
              id,
              label: t(`users.level.${id}`),
              disabled: most !== undefined && !meetsLevel(most[name], id),
            }))}
            onChange={(level) => onChange({ ...value, [name]: level })}
          />
          {most === undefined && (
            <span className="quiet small rights__what">{t(`users.right.${name}.${value[name]}`)}</span>
          )}
        </div>
      ))}
    </div>
  );
}
