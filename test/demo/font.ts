/**
 * Letter, then its rows from the top, one base-32 digit each: its five bits are the five columns, the highest at
 * the left (`v` is a full row, `4` the middle dot alone). Missing rows at the end are empty.
 */
const DRAWN = `
0 ehjlphe 1 4c4444e 2 eh1248v 3 v2421he 4 26aiv22 5 vgu11he 6 68guhhe 7 v124888 8 ehhehhe 9 ehhf12c
A ehhvhhh B uhhuhhu C ehggghe D sihhhis E vgguggv F vgguggg G ehgnhhf H hhhvhhh I e44444e J 72222ic
K hikokih L ggggggv M hrllhhh N hhpljhh O ehhhhhe P uhhuggg Q ehhhlid R uhhukih S fgge11u T v444444
U hhhhhhe V hhhhha4 W hhhllla X hha4ahh Y hhha444 Z v1248gv
a 00e1fhf b ggmphhu c 00egghe d 11djhhf e 00ehvge f 698s888 g 00fhhf1e h ggmphhh i 40c444e j 206222ic
k ggikoki l c44444e m 00qllhh n 00mphhh o 00ehhhe p 00uhhugg q 00fhhf11 r 00mpggg s 00fge1u t 88s8896
u 00hhhjd v 00hhha4 w 00hhlla x 00ha4ah y 00hhhf1e z 00v248v
: 0cc0cc . 00000cc , 0000cc48 ; 0cc0cc48 - 000v + 044v44 / 001248g ( 2488842 ) 8422248 ' c48 " aa ! 4444404
? eh12404 # aavavaa % opo248j3 & cik8lid = 00v0v _ 0000000v * 0l4v4l ° ciic · 000cc … 000000l @ ehnlnge
`;

/** Letters of other scripts that look like drawn ones: enough for Russian plates (GOST R 50577). */
const LOOKALIKES = 'АAВBЕEКKМMНHОOРPСCТTУYХXаaеeоoрpсcуyхx−-–-—-×x';

/** Drawn for a letter that is not there, a crossed box, so that it is not taken for a zero. */
const BOX = 'vhrlrhv';

const GLYPHS: Record<string, string> = Object.fromEntries(
  [...DRAWN.matchAll(/(\S) ([0-9a-v]+)(?=\s)/g)].map(([, letter = '', rows = '']) => [letter, rows]),
);

/** The rows of each letter, by the letter. */
export function glyphs(): Record<string, string> {
  return { ...GLYPHS, missing: BOX };
}

export function lookalikes(): Record<string, string> {
  return Object.fromEntries([...LOOKALIKES.matchAll(/(.)(.)/gu)].map(([, from = '', to = '']) => [from, to]));
}

/** The dots of a word as upright squares in metres; dots side by side are one. @param left, top its upper left corner */
export function wordParts(word: string, left: number, top: number, dotM: number): number[][] {
  return Array.from(word).flatMap((letter, place) =>
    Array.from(GLYPHS[letter] ?? '').flatMap((digit, row) =>
      [...Number.parseInt(digit, 32).toString(2).padStart(5, '0').matchAll(/1+/g)].map(
        ({ index, 0: dots }) => {
          const [x, y] = [left + (place * 6 + index) * dotM, top - row * dotM];
          const end = x + dots.length * dotM;
          return [x, y, 0, end, y, 0, end, y - dotM, 0, x, y - dotM, 0];
        },
      ),
    ),
  );
}
