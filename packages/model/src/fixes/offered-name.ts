import { FreeNames } from '../free-names.ts'
import { foldName } from '../paths.ts'
import type { NamingRules } from '../validation/subject.ts'

type Bounds = { min: number; max: number }
type NameOptions = {
  bounds: Bounds
  /** Folded names in use. */
  taken: ReadonlySet<string>
  databases: readonly NamingRules[]
}

/** Characters left for the number of a name in use, such as `_12`. */
const numberLength = 4
/** Characters of a name that are looked at: an imported one may have millions. */
const longest = 1000

/** A valid, free name like the given one, with Latin letters without accents. `word`: used where nothing of it is left. */
export function validName(name: string, word: string, options: NameOptions): string {
  const letters = name.slice(0, longest).normalize('NFKD').replace(/\p{M}/gu, '')
  const joined = letters.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '')
  const isNumber = !/^[A-Za-z]/.test(joined)
  const started = joined === '' ? word : isNumber || joined.length < options.bounds.min ? `${word}_${joined}` : joined
  return freeName(started, options)
}

/** The name, shortened to the bounds and to what databases store, numbered if it is in use or reserved. */
function freeName(name: string, { bounds: { max }, taken, databases }: NameOptions): string {
  const fits = (text: string) =>
    [...text].length <= max && databases.every(({ limit, size }) => text.length * 3 <= limit || size(text) <= limit)
  const units = Array.from(name.slice(0, longest))
  const cut = (length: number) =>
    units
      .slice(0, length)
      .join('')
      .replace(/[_\s]+$/u, '')
  const isFree = (text: string) =>
    !taken.has(foldName(text)) && !databases.some(({ reserved }) => reserved.has(text.toLowerCase()))
  if (fits(name) && isFree(name)) return name
  let length = units.length
  while (length > 1 && !fits(cut(length))) length -= 1
  if (isFree(cut(length))) return cut(length)
  while (length > 1 && !fits(cut(length) + 'x'.repeat(numberLength))) length -= 1
  const names = new FreeNames({ taken })
  const start = cut(length)
  // The name itself is not free, though only a database may reserve it.
  if (!names.has(start)) names.take(start)
  return names.take(start)
}
