/**
 * Evaluates a projection's condition for the way this package resolves: references become foreign keys
 * (`referenceOnly`, `normalized`), nothing is `structured` or `virtual`. Undefined if the condition is not supported.
 */
export function conditionHolds(condition: string | undefined, cardinality: Cardinality): boolean | undefined {
  if (condition === undefined || condition.trim() === '') return true
  if (condition.length > maxConditionLength) return undefined
  const tokens = condition.match(/[()]|[A-Za-z]\w*|\d+|&&|\|\||[<>=!]=|[<>!]|[^\s]/g) ?? []
  const reader = new Reader(tokens, cardinality)
  const value = reader.either()
  return reader.isAtEnd && typeof value !== 'number' ? value : undefined
}

export type Cardinality = { minimum: number; maximum: number }

const maxConditionLength = 1_000
/** Current depth of a resolved entity, and the maximum depth. */
const depth = { depth: 0, maxdepth: 2 }
const words: ReadonlyMap<string, boolean> = new Map([
  ['always', true],
  ['true', true],
  ['false', false],
  ['referenceonly', true],
  ['normalized', true],
  ['structured', false],
  ['virtual', false],
  ['isarray', false],
  ['nomaxdepth', false],
])

type Value = boolean | number | undefined

class Reader {
  readonly #tokens: readonly string[]
  readonly #numbers: Readonly<Record<string, number>>
  #at = 0

  constructor(tokens: readonly string[], { minimum, maximum }: Cardinality) {
    this.#tokens = tokens
    this.#numbers = { ...depth, 'cardinality.minimum': minimum, 'cardinality.maximum': maximum }
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  either(): Value {
    let value = this.#both()
    while (this.#takes('or') || this.#takes('||')) value = joined(value, this.#both(), (a, b) => a || b)
    return value
  }

  #both(): Value {
    let value = this.#compared()
    while (this.#takes('and') || this.#takes('&&')) value = joined(value, this.#compared(), (a, b) => a && b)
    return value
  }

  #compared(): Value {
    const left = this.#single()
    const compare = comparisons.get(this.#tokens[this.#at] ?? '')
    if (!compare) return left
    this.#at++
    const right = this.#single()
    return typeof left === 'number' && typeof right === 'number' ? compare(left, right) : undefined
  }

  #single(): Value {
    if (this.#takes('not') || this.#takes('!')) {
      const value = this.#single()
      return typeof value === 'boolean' ? !value : undefined
    }
    if (this.#takes('(')) {
      const value = this.either()
      return this.#takes(')') ? value : undefined
    }
    let token = (this.#tokens[this.#at++] ?? '').toLowerCase()
    if (this.#takes('.')) token = `${token}.${(this.#tokens[this.#at++] ?? '').toLowerCase()}`
    if (/^\d+$/.test(token)) return Number(token)
    return words.get(token) ?? this.#numbers[token]
  }

  #takes(token: string): boolean {
    const is = this.#tokens[this.#at]?.toLowerCase() === token
    if (is) this.#at++
    return is
  }
}

const comparisons: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['<', (a, b) => a < b],
  ['>', (a, b) => a > b],
  ['<=', (a, b) => a <= b],
  ['>=', (a, b) => a >= b],
  ['==', (a, b) => a === b],
  ['!=', (a, b) => a !== b],
])

function joined(left: Value, right: Value, by: (a: boolean, b: boolean) => boolean): Value {
  return typeof left === 'boolean' && typeof right === 'boolean' ? by(left, right) : undefined
}
