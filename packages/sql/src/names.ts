/** The rules of a database for names, and for comparing them. */
export type NameRules = {
  /** Maximum length, in the unit of `size`. */
  limit: number
  size(name: string): number
  /** Names with the same fold are equal to the database. */
  fold(name: string): string
  /** Characters replaced by an underscore, in addition to control characters. */
  illegal: RegExp | null
  /** Names that a column cannot have, even quoted. */
  isReservedColumn(name: string): boolean
  /** Table names that are reserved or that the file system cannot store. */
  isReservedTable(name: string): boolean
  /** Names that neither a constraint nor an index can have. */
  isReservedConstraint(name: string): boolean
}

/** Gives names in the order of the calls; the same sequence of calls gives the same names. */
export type NameGiver = { give(name: string, kind: 'table' | 'column' | 'constraint'): string }

/** The length in UTF-8; an unpaired surrogate takes three bytes, as for TextEncoder. */
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

/** A namespace: every name it gives is legal, distinct from all others and not reserved. */
export function newNameGiver(rules: NameRules, reserved: readonly string[] = []): NameGiver {
  const usedNames = new Set(reserved.map(name => rules.fold(name)))
  return {
    give(name, kind) {
      let candidate = legalName(name, rules, kind)
      const count = usedNames.size
      for (let attempt = 1; usedNames.add(rules.fold(candidate)).size === count; attempt += 1) {
        candidate = hashedName(candidate, `${name} ${attempt}`, rules)
      }
      return candidate
    },
  }
}

/** Control characters, line separators, bidirectional marks, byte order marks and unpaired surrogates. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu
const plain = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Whether the name needs no change in a column, and can collide only with names that differ in case. */
export function isPlainName(name: string, rules: NameRules): boolean {
  return plain.test(name) && fitsLimit(name, rules) && !rules.isReservedColumn(name)
}

function fitsLimit(name: string, rules: NameRules): boolean {
  return name.length * 4 <= rules.limit || rules.size(name) <= rules.limit
}

const reservation = {
  table: 'isReservedTable',
  column: 'isReservedColumn',
  constraint: 'isReservedConstraint',
} as const

/** The first candidate for a name. */
export function legalName(name: string, rules: NameRules, kind: 'table' | 'column' | 'constraint'): string {
  const clean = plain.test(name) ? name : cleanName(name, rules)
  const isReserved = reservation[kind]
  return clean === name && clean !== '' && fitsLimit(clean, rules) && !rules[isReserved](clean)
    ? name
    : hashedName(clean, name, rules, isReserved === 'isReservedColumn' ? undefined : isReserved)
}

function cleanName(name: string, { illegal }: NameRules): string {
  const printable = name.replace(unprintable, '_')
  return illegal ? printable.replace(illegal, '_') : printable
}

/** Shortens the name and appends a hash of the original: stable, and distinct for names with the same beginning. */
function hashedName(
  clean: string,
  whole: string,
  rules: NameRules,
  isReserved?: 'isReservedTable' | 'isReservedConstraint',
): string {
  const suffix = `_${hashOf(whole)}`
  const isBad = (name: string) => isReserved !== undefined && rules[isReserved](name)
  // A name that is illegal because of its beginning gets a prefix; one that is too long is shortened.
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
