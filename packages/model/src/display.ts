/**
 * Characters that are invisible or affect their neighbours: controls, bidi marks and overrides, zero-width and tag characters, variation
 * selectors, fillers, soft hyphens, line separators, lone surrogates, the Braille blank.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Fast path for ASCII, because building the Unicode classes takes as long as drawing the page's tree. */
const plain = /^[ -~]*$/

let emojis: RegExp | null = null

/** An emoji is visible although joiners and variation selectors are part of it. */
function emoji(): RegExp {
  emojis ??= /\p{RGI_Emoji}/gv
  return emojis
}

/** Whether a text contains invisible characters. */
export function hasHidden(text: string): boolean {
  return !plain.test(text) && hidden.test(text) && hidden.test(text.replace(emoji(), ''))
}

const hiddenInLine = /[^\n\t\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * A text for display, with invisible characters as `‹U+202E›`, because imported names may contain them to imitate others. `lines` keeps
 * line breaks and tabs.
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

/** A count with separators: 1,234,567. Avoids Intl, whose locale data take longer to load than the first page. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Alternatives in a sentence: `.zip, .sql or .gz`. */
export function eitherOf(options: readonly string[]): string {
  const last = options.at(-1) ?? ''
  return options.length < 2 ? last : `${options.slice(0, -1).join(', ')} or ${last}`
}
