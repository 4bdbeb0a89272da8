/** Items by name. The exact name comes first, then one that differs only in case. */
export class NameIndex<T> {
  readonly #exact = new Map<string, T | Set<T>>()
  readonly #folded = new Map<string, T | Set<T>>()

  add(name: string, item: T): void {
    insert(this.#exact, name, item)
    insert(this.#folded, name.toLowerCase(), item)
  }

  delete(name: string, item: T): void {
    remove(this.#exact, name, item)
    remove(this.#folded, name.toLowerCase(), item)
  }

  /** The first item of the name. */
  find(name: string): T | undefined {
    return first(this.#exact.get(name)) ?? first(this.#folded.get(name.toLowerCase()))
  }
}

/** Most names have one item, which needs no set. */
function insert<T>(index: Map<string, T | Set<T>>, key: string, item: T): void {
  const items = index.get(key)
  if (items instanceof Set) items.add(item)
  else index.set(key, items === undefined ? item : new Set([items, item]))
}

function remove<T>(index: Map<string, T | Set<T>>, key: string, item: T): void {
  const items = index.get(key)
  if (items instanceof Set) items.delete(item)
  else if (items === item) index.delete(key)
}

function first<T>(items: T | Set<T> | undefined): T | undefined {
  return items instanceof Set ? items.values().next().value : items
}

/** The schemas in which names without one are looked up. */
export type Scope = { current: string; readonly usual: string }

export type Named = { name: string; schema: string }

/** The objects of one kind, by the last one or two parts of their names. */
export class Catalogue<T extends Named> {
  readonly #scope: Scope
  readonly #items = new Set<T>()
  readonly #bySchema = new Map<string, Set<T>>()
  readonly #byName = new NameIndex<T>()
  readonly #byPath = new NameIndex<T>()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** In the order of their creation. */
  get all(): readonly T[] {
    return [...this.#items]
  }

  add(item: T): void {
    this.#items.add(item)
    this.#index(item)
  }

  delete(item: T): void {
    this.#items.delete(item)
    this.#remove(item)
  }

  rename(item: T, { name = item.name, schema = item.schema }: Partial<Named>): void {
    this.#remove(item)
    Object.assign(item, { name, schema })
    this.#index(item)
  }

  /** `near`: the schema of the object that refers to this one. */
  find(parts: readonly string[], near = this.#scope.current): T | undefined {
    const name = parts.at(-1) ?? ''
    const schema = parts.at(-2)
    if (schema !== undefined) return this.#at(schema, name) ?? this.#at('', name)
    const { current, usual } = this.#scope
    return (
      this.#at(current, name) ??
      this.#at(near, name) ??
      this.#at('', name) ??
      this.#at(usual, name) ??
      this.#byName.find(name)
    )
  }

  #at(schema: string, name: string): T | undefined {
    return this.#byPath.find(pathOf(schema, name))
  }

  in(schema: string): readonly T[] {
    return [...(this.#bySchema.get(schema) ?? [])]
  }

  #remove(item: T): void {
    this.#bySchema.get(item.schema)?.delete(item)
    this.#byName.delete(item.name, item)
    this.#byPath.delete(pathOf(item.schema, item.name), item)
  }

  #index(item: T): void {
    const items = this.#bySchema.get(item.schema) ?? new Set()
    this.#bySchema.set(item.schema, items.add(item))
    this.#byName.add(item.name, item)
    this.#byPath.add(pathOf(item.schema, item.name), item)
  }
}

function pathOf(schema: string, name: string): string {
  return `${schema}\0${name}`
}
