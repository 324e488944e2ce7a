import { loadLaterTexts } from '../../renderer/i18n/text.ts';

// Tests of parts that come later say their texts without having been loaded as such.
await loadLaterTexts();
