/**
 * What is not seen, or changes how its neighbours are seen: controls, bidi marks and overrides, zero-width and tag characters,
 * variation selectors, fillers, soft hyphens, line separators, half characters, the blank of Braille.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** What most texts are made of: it is told at once, while the classes of all characters take a page as long as its tree to make. */
const plain = /^[ -~]*$/

let emojis: RegExp | null = null

/** An emoji is seen, though joiners and variation selectors hold its parts together. */
function emoji(): RegExp {
  emojis ??= /\p{RGI_Emoji}/gv
  return emojis
}

/** Whether a text holds a character that is not seen. */
export function hasHidden(text: string): boolean {
  return !plain.test(text) && hidden.test(text) && hidden.test(text.replace(emoji(), ''))
}

const hiddenInLine = /[^\n\t\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * A text as it is shown: what is not seen stands as `‹U+202E›`. Names from files keep such characters, and must not pass for
 * others. With `lines` the line breaks and tabs of a longer text stay as they are.
 */
export function visibleText(text: string, { lines = false }: { lines?: boolean } = {}): string {
  if (plain.test(text) || !hidden.test(text)) return text
  const escape = (part: string) => part.replace(lines ? hiddenInLine : new RegExp(hidden, 'gu'), escaped)
  const between = text.split(emoji()).map(escape)
  return (text.match(emoji()) ?? []).reduce((shown, one, at) => shown + one + (between[at + 1] ?? ''), between[0] ?? '')
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return `‹U+${point.toString(16).toUpperCase().padStart(4, '0')}›`
}
