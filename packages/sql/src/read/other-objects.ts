import type { Thing } from '@cadmus/model/import-things'

/** `isLost`: without it, the database behaves differently; the others only serve its operation. `of`: what it counts as. */
export type ObjectKind = {
  readonly words: readonly string[]
  readonly plural: string
  readonly isLost: boolean
  readonly of?: Thing
}

/** `on`: the table within which its name is unique, '' for none. */
export type OtherObject = { kind: ObjectKind; parts: readonly string[]; on: string; line: number }

/** The views, functions and other objects of a script for which models have no place. */
export class OtherObjects {
  readonly #byPath = new Map<string, OtherObject>()
  /** Also of those that were dropped. */
  readonly #names = new Set<string>()

  /** Those that exist after the statements read so far. */
  get all(): readonly OtherObject[] {
    return [...this.#byPath.values()]
  }

  /** Replaces an object of the same name. */
  add(object: OtherObject): void {
    this.#byPath.set(pathOf(object), object)
    this.#names.add(nameOf(object.parts))
  }

  /** A path without its schema is found, too. */
  find(object: Omit<OtherObject, 'line'>): OtherObject | undefined {
    return this.#byPath.get(pathOf(object)) ?? this.#byPath.get(pathOf({ ...object, parts: object.parts.slice(-1) }))
  }

  delete(object: OtherObject): void {
    this.#byPath.delete(pathOf(object))
  }

  /** Whether the script creates such an object of the name. */
  hasName(parts: readonly string[]): boolean {
    return this.#names.has(nameOf(parts))
  }
}

function nameOf(parts: readonly string[]): string {
  return (parts.at(-1) ?? '').toLowerCase()
}

function pathOf({ kind, parts, on }: Omit<OtherObject, 'line'>): string {
  return JSON.stringify([kind.plural, parts.join('.').toLowerCase(), on.toLowerCase()])
}
