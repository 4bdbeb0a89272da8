import { type Column, columnName, columnsOf, isTypeAttribute } from '../columns.ts'
import { type EntityContent, primaryKeyOf } from '../entity.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import { isTaken, namePattern } from '../rules/names.ts'
import { foreignKeyName } from '../rules/relationship.ts'
import { typeAttributeName } from '../rules/type-attribute.ts'

/** The names of an entity's columns while a block of cells is written; each check takes constant time. */
export class ColumnNames {
  readonly #attributes = new CountedNames()
  readonly #foreignKeys = new CountedNames()
  readonly #primaryKey: string | null

  constructor(content: Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>) {
    this.#primaryKey = primaryKeyOf(content)
    for (const column of columnsOf(content)) this.add(column)
  }

  add(column: Column): void {
    this.#namesOf(column).add(columnName(column))
  }

  remove(column: Column): void {
    this.#namesOf(column).remove(columnName(column))
  }

  /** Why the column, whose present name was removed, cannot have a name, with a similar name that it can have. */
  refusal(name: string, column: Column): { reason: string; offer?: string } | undefined {
    const reason = this.#problem(name, column)
    if (reason === undefined) return undefined
    return { reason, ...this.offer(name) }
  }

  #problem(name: string, column: Column): string | undefined {
    const [attributes, foreignKeys] = [this.#attributes.names, this.#foreignKeys.names]
    if (isTypeAttribute(column)) return typeAttributeName(name, { taken: attributes, foreignKeys })
    const primaryKey = this.#primaryKey
    const problem = foreignKeyName(name, { primaryKey, taken: foreignKeys })
    return problem ?? (isTaken(name, attributes) ? messages.attributeExists(name) : undefined)
  }

  /** A similar name that is valid and free. */
  offer(name: string): { offer?: string } {
    const valid = validName(name)
    if (valid === undefined) return {}
    const names = Array.from({ length: maxTries }, (_, index) => (index === 0 ? valid : `${valid}_${index + 1}`))
    const offer = names.find(one => !this.#has(one))
    return offer === undefined ? {} : { offer }
  }

  #has(name: string): boolean {
    return isTaken(name, this.#attributes.names) || isTaken(name, this.#foreignKeys.names)
  }

  #namesOf(column: Column): CountedNames {
    return isTypeAttribute(column) ? this.#attributes : this.#foreignKeys
  }
}

/** Numbers tried for an offered name. */
const maxTries = 20

/** Names that may occur more than once, as in imported entities. */
class CountedNames {
  readonly names = new Set<string>()
  readonly #repeated = new Map<string, number>()

  add(name: string): void {
    const folded = foldName(name)
    if (this.names.has(folded)) this.#repeated.set(folded, (this.#repeated.get(folded) ?? 0) + 1)
    this.names.add(folded)
  }

  remove(name: string): void {
    const folded = foldName(name)
    const repeated = this.#repeated.get(folded) ?? 0
    if (repeated > 0) this.#repeated.set(folded, repeated - 1)
    else this.names.delete(folded)
  }
}

/** Letters without a decomposition. */
const latinLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', đ: 'd' }

/** A valid name with the words of a text, such as `birthDate` for `Birth date`; undefined if it has too few letters. */
function validName(text: string): string | undefined {
  const { min, max } = limits.attributeName
  const [first = '', ...others] = text
    .slice(0, max * 4)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæøłđ]/g, letter => latinLetters[letter] ?? letter)
    .replace(/^[^A-Za-z]+/, '')
    .split(/[^A-Za-z0-9_]+|_{2,}/)
    .filter(word => word !== '')
  const start = others.length === 0 ? first : withFirst(first, first.slice(0, 1).toLowerCase())
  const joined = start + others.map(word => withFirst(word, word.slice(0, 1).toUpperCase())).join('')
  const name = joined.slice(0, max).replace(/_+$/, '')
  return name.length >= min && namePattern(name) === undefined ? name : undefined
}

function withFirst(word: string, letter: string): string {
  return letter + word.slice(1)
}
