import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as x509 from '@peculiar/asn1-x509';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { diskFiles, errorCode } from '../store/documents/Files.ts';
import { writeFileAtomically } from '../store/documents/writeFileAtomically.ts';

/** In the data folder: the key and its certificate, for the host alone. */
export const ownCertificateName = 'tls-self.pem';
/** The certificate alone, to be handed to those who shall trust it. */
const handedOutName = 'tls-self.crt';

const dayMs = 86_400_000;
/** Browsers of all makers take certificates that are good for so long; several refuse longer ones. */
const goodForMs = 397 * dayMs;
const renewBeforeMs = 30 * dayMs;
/** Clocks of other machines may be behind. */
const backdatedMs = dayMs;
const lookMs = 6 * 60 * 60_000;
/** Names and addresses of before that a renewed certificate still has: a machine that returns to one needs no other. */
const formerNames = 32;

/** PEM. */
export interface Certificate {
  cert: string;
  key: string;
  /** SHA-256 of the certificate, as browsers show it: `AB:CD:…`. */
  fingerprint: string;
}

/**
 * The certificate that this host signs itself. It is kept in the data folder and made anew when a name or address is
 * not covered, and 30 days before it expires.
 *
 * @param deps.onRenewed called with each one after the first
 * @throws {DiskFull}, or the system's error
 */
export async function openOwnCertificate(deps: {
  folder: string;
  /** Host names and IP addresses under which this host may be called, IPv6 without brackets. */
  names: () => readonly string[];
  clock: Pick<Clock, 'now' | 'after'>;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  onRenewed: (certificate: Certificate) => void;
}) {
  const { folder, names, clock, log, onRenewed } = deps;
  const path = join(folder, ownCertificateName);
  let current = await readKept(path, log);
  let renewing: Promise<void> | null = null;

  async function renew(): Promise<Certificate> {
    const made = makeCertificate(
      [...new Set([...names().map(canonical), ...formerOf(current).slice(0, formerNames)])],
      clock.now(),
    );
    await writeFileAtomically(diskFiles, path, made.key + made.cert, { backUp: false });
    await writeFileAtomically(diskFiles, join(folder, handedOutName), made.cert, { backUp: false });
    log.info({ sha256: made.fingerprint, file: handedOutName }, 'TLS certificate was created');
    return made;
  }

  let certificate = current !== null && isGood(current, names(), clock.now()) ? current : await renew();
  current = certificate;

  /** Renews it where that is due; what fails is logged and tried again hours later. */
  function check(): Promise<void> {
    if (isGood(certificate, names(), clock.now())) return Promise.resolve();
    renewing ??= renew()
      .then((made) => {
        certificate = current = made;
        onRenewed(made);
      })
      .catch((error: unknown) => log.error({ err: error }, 'TLS certificate was not renewed'))
      .finally(() => (renewing = null));
    return renewing;
  }

  function look(): void {
    stop = clock.after(lookMs, look);
    void check();
  }
  let stop = clock.after(lookMs, look);

  return {
    now: (): Certificate => certificate,
    /** To be called when names or addresses have changed; resolves when they are covered. */
    check,
    stop: async () => {
      stop();
      await renewing;
    },
  };
}

async function readKept(path: string, log: Pick<Logger, 'warn'>): Promise<Certificate | null> {
  try {
    await diskFiles.tighten(path);
    const text = (await diskFiles.read(path)).toString('utf8');
    const key = createPrivateKey(text);
    const parsed = new X509Certificate(text);
    if (!parsed.checkPrivateKey(key)) throw new Error('the key is of another certificate');
    return {
      cert: parsed.toString(),
      key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      fingerprint: parsed.fingerprint256,
    };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (error instanceof Error && 'syscall' in error) throw error;
    log.warn({ err: error }, 'TLS certificate could not be read; creating another one');
    return null;
  }
}

function isGood({ cert }: Certificate, names: readonly string[], now_ms: number): boolean {
  const parsed = new X509Certificate(cert);
  const isCurrent =
    now_ms >= parsed.validFromDate.getTime() && now_ms < parsed.validToDate.getTime() - renewBeforeMs;
  return isCurrent && toCover(names).every((name) => covers(parsed, name));
}

/** Without IPv6 where there is IPv4: many machines take a new IPv6 address every day (RFC 8981). */
function toCover(names: readonly string[]): readonly string[] {
  const has4 = names.some((it) => isIP(it) === 4 && !it.startsWith('127.'));
  return has4 ? names.filter((it) => isIP(it) !== 6) : names;
}

function covers(certificate: X509Certificate, name: string): boolean {
  const found = isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name);
  return found !== undefined;
}

/** The names and addresses in a certificate of ours. */
function formerOf(certificate: Certificate | null): string[] {
  const text = certificate === null ? '' : (new X509Certificate(certificate.cert).subjectAltName ?? '');
  return [...text.matchAll(/(?:DNS|IP Address):([^,]+)/g)].map(([, name = '']) => canonical(name));
}

/** One spelling of each IPv6 address. */
function canonical(name: string): string {
  return isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();
}

/** OIDs of RFC 5758, 3.2 and of RFC 5280, appendix A. */
const ids = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
} as const;

/** @param names without brackets, not empty */
function makeCertificate(names: readonly string[], now_ms: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serial = randomBytes(16);
  // RFC 5280, 4.1.2.2: positive, and no zeros before it.
  serial.writeUInt8((serial.readUInt8(0) & 0x7f) | 0x40, 0);
  const signature = new x509.AlgorithmIdentifier({ algorithm: ids.ecdsaWithSha256 });
  const name = nameOf({
    [ids.organization]: 'Fleetdeck',
    [ids.commonName]: (names.find((it) => isIP(it) === 0) ?? 'Fleetdeck').slice(0, 64),
  });
  const tbs = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bytesOf(serial),
    signature,
    issuer: name,
    validity: new x509.Validity({
      notBefore: new Date(now_ms - backdatedMs),
      notAfter: new Date(now_ms + goodForMs),
    }),
    subject: name,
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      x509.SubjectPublicKeyInfo,
    ),
    extensions: new x509.Extensions([
      // Whoever trusts it trusts this host, and nothing that it could sign.
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: false }), true),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), true),
      extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
      extension(
        x509.id_ce_subjectAltName,
        new x509.SubjectAlternativeName(
          names.map((it) => new x509.GeneralName(isIP(it) === 0 ? { dNSName: it } : { iPAddress: it })),
        ),
      ),
    ]),
  });
  const der = AsnConvert.serialize(
    new x509.Certificate({
      tbsCertificate: tbs,
      signatureAlgorithm: signature,
      signatureValue: bytesOf(sign('sha256', Buffer.from(AsnConvert.serialize(tbs)), privateKey)),
    }),
  );
  const made = new X509Certificate(Buffer.from(der));
  return {
    cert: made.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: made.fingerprint256,
  };
}

function nameOf(parts: Readonly<Record<string, string>>): x509.Name {
  return new x509.Name(
    Object.entries(parts).map(
      ([type, utf8String]) =>
        new x509.RelativeDistinguishedName([
          new x509.AttributeTypeAndValue({ type, value: new x509.AttributeValue({ utf8String }) }),
        ]),
    ),
  );
}

function extension(extnID: string, value: object, critical = false): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function bytesOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
