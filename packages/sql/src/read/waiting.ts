import type { Thing } from '@cadmus/model/import-things'

/** A statement on an object that is not created yet, by its offsets in the script. */
export type WaitingStatement = {
  readonly from: number
  readonly to: number
  readonly line: number
  /** Of the object. */
  readonly kind: Kind
  readonly parts: readonly string[]
  /** For the case that the object is never created. */
  readonly message: string
  /** What is then not in the model. */
  readonly of?: Thing | undefined
  /** `create`: a table, which it can also do without the object; `alter`: it changes the object, whatever it is. */
  readonly does: 'create' | 'alter' | 'other'
}

type Kind = 'table' | 'type'
type Entry = WaitingStatement | (() => void)

/** The statements and foreign keys that wait for objects which are created later. */
export class Waiting {
  /** By kind and name of the object, then by its schema. */
  readonly #byName = new Map<string, Map<string, Set<Entry>>>()
  #ready: WaitingStatement[] = []
  #next = 0

  add(kind: Kind, parts: readonly string[], entry: Entry): void {
    const key = keyOf(kind, parts.at(-1) ?? '', typeof entry)
    const bySchema = this.#byName.get(key) ?? new Map<string, Set<Entry>>()
    this.#byName.set(key, bySchema)
    const schema = (parts.at(-2) ?? '').toLowerCase()
    const entries = bySchema.get(schema) ?? new Set()
    bySchema.set(schema, entries.add(entry))
  }

  /** The object exists from now on. */
  arrive(kind: Kind, { name, schema }: { name: string; schema: string }): void {
    for (const type of types)
      for (const entry of this.#take(keyOf(kind, name, type), schema)) {
        if (typeof entry === 'function') entry()
        else this.#ready.push(entry)
      }
  }

  /** The object is dropped: earlier changes of it are void. Foreign keys wait for the next one of the name. */
  cancel(kind: Kind, parts: readonly string[]): WaitingStatement[] {
    return this.#take(keyOf(kind, parts.at(-1) ?? '', 'object'), parts.at(-2) ?? '').filter(isStatement)
  }

  /** The next statement whose object exists. */
  next(): WaitingStatement | undefined {
    const statement = this.#ready[this.#next]
    this.#next += 1
    if (statement) return statement
    this.#ready = []
    this.#next = 0
    return undefined
  }

  /** Those that still wait, in the order of the script. */
  takeAll(): WaitingStatement[] {
    const all = [...this.#byName.values()].flatMap(bySchema => [...bySchema.values()].flatMap(set => [...set]))
    this.#byName.clear()
    return all.filter(isStatement).toSorted((a, b) => a.from - b.from)
  }

  #take(key: string, schema: string): Entry[] {
    const bySchema = this.#byName.get(key)
    if (!bySchema) return []
    const schemas = schema === '' ? [...bySchema.keys()] : [schema.toLowerCase(), '']
    const taken = schemas.flatMap(one => [...(bySchema.get(one) ?? [])])
    for (const one of schemas) bySchema.delete(one)
    const order = (entry: Entry) => (isStatement(entry) ? entry.from : -1)
    return taken.toSorted((a, b) => order(a) - order(b))
  }
}

/** Foreign keys, which are functions, come before statements. */
const types = ['function', 'object'] as const

function keyOf(kind: Kind, name: string, type: string): string {
  return `${type} ${kind} ${name.toLowerCase()}`
}

function isStatement(entry: Entry): entry is WaitingStatement {
  return typeof entry !== 'function'
}
