import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseChallenges,
  chooseDigest,
  digestAuthorization,
} from '../../../../server/video/terminals/digest.ts';

/** RFC 7616 section 3.9.1. */
const header = [
  'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256,',
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",',
  'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5,',
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
].join(' ');
const request = {
  username: 'Mufasa',
  password: 'Circle of Life',
  method: 'GET',
  uri: '/dir/index.html',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};

describe('digest authorization', () => {
  it('digest authorization gives the answers of RFC 7616 for SHA-256 and MD5, the stronger one by choice', () => {
    const challenges = parseChallenges(header);
    expect(challenges).toHaveLength(2);
    const [sha, md5] = challenges;
    if (sha === undefined || md5 === undefined) throw new Error('no challenges');
    expect(chooseDigest([md5, sha])).toBe(sha);
    expect(digestAuthorization(sha, request)).toContain(
      'response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"',
    );
    expect(digestAuthorization(md5, request)).toContain('response="8ca523f5e9506fed4657c9700eebdbec"');
  });

  it('digest authorization answers a camera of RFC 2069, without qop, with the values of that document as corrected', () => {
    const [challenge] = parseChallenges(
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
    );
    if (challenge === undefined) throw new Error('no challenge');
    const answer = digestAuthorization(challenge, { ...request, password: 'CircleOfLife' });
    expect(answer).toContain('response="1949323746fe6a43ef61f9606e7febea"');
    expect(answer).not.toContain('cnonce');
  });

  it('digest authorization finds the digest among other schemes and passes over what it cannot answer', () => {
    const offered = parseChallenges(
      'Basic realm="a, b", Digest realm="x", nonce="n", algorithm=SHA-512-256, Digest realm="y", nonce="n", qop="auth-int", Bearer',
    );
    expect(offered.map((it) => it.scheme)).toEqual(['basic', 'digest', 'digest', 'bearer']);
    expect(offered[0]?.params.get('realm')).toBe('a, b');
    expect(chooseDigest(offered)).toBeUndefined();
  });

  it('digest authorization reads any header without failing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[Digest rlm="\\,nco]*$/), (text) => {
        for (const it of parseChallenges(text)) expect(it.scheme).not.toBe('');
      }),
    );
  });
});
