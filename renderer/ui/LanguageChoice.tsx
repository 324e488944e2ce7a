import { languages, type Language } from '../../server/contract/languages.ts';
import { LANGUAGE_NAMES } from '../i18n/speak.ts';
import { useT } from '../i18n/useT.ts';
import { Choice } from './Select.tsx';

const USUAL = 'usual';

/** The languages by what they call themselves; null: that of the computer. */
export function LanguageChoice({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Language | null;
  onChange: (language: Language | null) => void;
}) {
  const t = useT();
  return (
    <Choice<Language | typeof USUAL>
      label={label}
      options={[
        { id: USUAL, label: t('language.usual') },
        ...languages.map((id) => ({ id, label: LANGUAGE_NAMES[id] })),
      ]}
      value={value ?? USUAL}
      onChange={(chosen) => onChange(chosen === USUAL ? null : chosen)}
    />
  );
}
