import { rightNames, type RightLevel, type Rights } from '../../server/contract/rights.ts';
import { useText } from '../i18n/useText.ts';
import { Segments } from '../ui/Segments.tsx';

const LEVELS: readonly RightLevel[] = ['none', 'read', 'write'];

/** What a user may do, area by area, with what each level means in words. */
export function RightsField({ value, onChange }: { value: Rights; onChange: (rights: Rights) => void }) {
  const say = useText();
  return (
    <div className="rights" role="group" aria-label={say('users.rights')}>
      {rightNames.map((name) => (
        <div key={name} className="rights__row">
          <span className="strong">{say(`users.right.${name}`)}</span>
          <Segments
            size="small"
            label={say(`users.right.${name}`)}
            value={value[name]}
            options={LEVELS.map((id) => ({ id, label: say(`users.level.${id}`) }))}
            onChange={(level) => onChange({ ...value, [name]: level })}
          />
          <span className="quiet small rights__what">{say(`users.right.${name}.${value[name]}`)}</span>
        </div>
      ))}
    </div>
  );
}
