import '@fontsource-variable/inter/wght.css';
import '@fontsource/noto-sans/400.css';
import '@fontsource/noto-sans/600.css';

// One letter of every subset that the packages split their files by (their unicode-range rules): Latin,
// Latin extended, Vietnamese, Cyrillic, Cyrillic extended, Greek, Greek extended.
const LETTER_OF_EVERY_SUBSET = 'Aāạжѣωἀ';

/**
 * Loads every subset of the map's fonts. A canvas draws with the fallback font what is not loaded yet, and the map
 * keeps each letter that it has drawn once; so wait for this before the first label.
 */
export async function loadMapFonts(fonts: FontFaceSet = document.fonts): Promise<void> {
  await Promise.all(
    ['400 16px "Inter Variable"', '400 16px "Noto Sans"', '600 16px "Noto Sans"'].map((font) =>
      fonts.load(font, LETTER_OF_EVERY_SUBSET),
    ),
  );
}
