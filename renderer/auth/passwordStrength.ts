/** The least that the server takes. */
export const PASSWORD_MIN = 10;
export const STRENGTH_STEPS = 4;

/**
 * How far a password goes, from 0 to 4: by its length and by how many different characters it has, since length
 * defeats guessing better than signs do (NIST SP 800-63B, 5.1.1). Repeating one's login gives nothing.
 */
export function passwordStrength(password: string, login: string): number {
  const plain = login.length >= 3 ? password.replaceAll(new RegExp(escaped(login), 'gi'), '') : password;
  const different = new Set(plain.toLowerCase()).size;
  const weight = Math.min(plain.length, different * 2);
  if (password.length < PASSWORD_MIN) return password.length === 0 ? 0 : 1;
  if (weight < PASSWORD_MIN) return 1;
  if (weight < 13) return 2;
  return weight < 17 ? 3 : STRENGTH_STEPS;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
