/** What a database asks of a name, and how it tells two names apart. */
export type NameRules = {
  /** The longest name, in the unit that `size` counts. */
  limit: number
  size(name: string): number
  /** How the database compares names: two names with one fold are one name. */
  fold(name: string): string
  /** Characters that are replaced by an underscore, beside the control characters. */
  illegal: RegExp | null
  /** Names that a column cannot have, quoted or not. */
  isTakenColumn(name: string): boolean
  /** Table names that mean something else or that the file system cannot hold. */
  isBadTable(name: string): boolean
}

/** Gives names in the order asked; the same questions get the same answers. */
export type NameGiver = { give(name: string, kind: 'table' | 'column' | 'constraint'): string }

/** The length in UTF-8, as TextEncoder writes it: a lone surrogate takes three bytes. */
export function bytesOf(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit <= 0x7f) continue
    bytes += unit <= 0x7ff ? 1 : 2
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(index + 1))) index += 1
  }
  return bytes
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

export function charactersOf(name: string): number {
  let count = 0
  for (const _character of name) count += 1
  return count
}

export function utf16Of(name: string): number {
  return name.length
}

/** A namespace: every name it gives is legal for the database, unlike every other it gave, and none of the reserved ones. */
export function newNameGiver(rules: NameRules, reserved: readonly string[] = []): NameGiver {
  const taken = new Set(reserved.map(name => rules.fold(name)))
  return {
    give(name, kind) {
      let given = legalName(name, rules, kind)
      let folded = rules.fold(given)
      for (let attempt = 1; taken.has(folded); attempt += 1) {
        given = hashed(given, `${name} ${attempt}`, rules)
        folded = rules.fold(given)
      }
      taken.add(folded)
      return given
    },
  }
}

/** Control characters, separators of lines and marks that reverse the direction of text. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu
const plain = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The first that is tried for it. */
export function legalName(name: string, rules: NameRules, kind: 'table' | 'column' | 'constraint'): string {
  const clean = plain.test(name) ? name : cleaned(name, rules)
  const fits = clean.length * 4 <= rules.limit || rules.size(clean) <= rules.limit
  const bad = (kind === 'column' && rules.isTakenColumn(clean)) || (kind === 'table' && rules.isBadTable(clean))
  return clean === name && clean !== '' && fits && !bad ? name : hashed(clean, name, rules, kind === 'table')
}

function cleaned(name: string, { illegal }: NameRules): string {
  const printable = name.replace(unprintable, '_')
  return illegal ? printable.replace(illegal, '_') : printable
}

/** The name, cut where needed, with a hash of the whole of it: stable, and unlike that of another name cut at the same place. */
function hashed(clean: string, whole: string, rules: NameRules, isTable = false): string {
  const suffix = `_${hashOf(whole)}`
  const isBad = (name: string) => isTable && rules.isBadTable(name)
  // A name that is bad for its beginning gets another one, a name that is bad for its length is cut.
  const start = isBad(clean) && !isBad(`t_${clean}`) ? `t_${clean}` : clean
  const head: string[] = []
  let room = rules.limit - suffix.length
  for (const character of start) {
    room -= rules.size(character)
    if (room < 0) break
    head.push(character)
  }
  while (head.length > 0 && isBad(head.join('') + suffix)) head.pop()
  return `${head.join('').trimEnd()}${suffix}`
}

/** 32-bit FNV-1a over UTF-16 units, as eight hexadecimal digits. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ (text.charCodeAt(index) & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (text.charCodeAt(index) >>> 8), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
