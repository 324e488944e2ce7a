import { laterPart } from './laterPart.tsx';

/** The tabs of Settings that are opened now and then; apart from the screen, so that their code can be had before its own. */
export const SETTINGS_PARTS = {
  language: laterPart(async () => (await import('../settings/LanguageTab.tsx')).LanguageTab),
  terminals: laterPart(async () => (await import('../intake/TerminalsTab.tsx')).TerminalsTab),
  maps: laterPart(async () => (await import('../mapFiles/MapsTab.tsx')).MapsTab),
  audit: laterPart(async () => (await import('../settings/AuditTab.tsx')).AuditTab),
  about: laterPart(async () => (await import('../settings/AboutTab.tsx')).AboutTab),
};
