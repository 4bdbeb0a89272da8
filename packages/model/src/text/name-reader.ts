import { columnName, columnsOf } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import { foldName } from '../paths.ts'
import type { MatchedTable } from './match.ts'

/** The columns that names of a table stand for, beside its lines. A name that a line had before it was renamed stands for its column. */
export class NameReader {
  readonly #present: ReadonlyMap<string, string>
  /** Columns of lines under the names that they had. */
  readonly #renamed: ReadonlyMap<string, string>
  /** Names of the entity's columns before, by uid. */
  readonly #former: ReadonlyMap<string, string>
  /** Names in the text by uid, as they are written. */
  readonly #written: ReadonlyMap<string, string>
  /** Names in the text by uid. */
  readonly #names: ReadonlyMap<string, string>

  constructor(columns: MatchedTable['columns'], content: EntityContent | undefined) {
    const lines = columns.map(({ uid, parsed }) => [uid, foldName(parsed.name.text)] as const)
    const renamed = columns.flatMap(({ uid, old }) => (old ? [[foldName(columnName(old.column)), uid] as const] : []))
    this.#written = new Map(columns.map(({ uid, parsed }) => [uid, parsed.name.text]))
    this.#names = new Map(lines)
    this.#present = firstOf(lines.map(([uid, name]) => [name, uid]))
    this.#renamed = firstOf(renamed)
    this.#former = new Map(content ? columnsOf(content).map(column => [column.uid, foldName(columnName(column))]) : [])
  }

  /** Undefined for a column whose line was deleted; uid '' for a name that the table does not have. */
  column(name: string): { uid: string; name: string } | undefined {
    const folded = foldName(name)
    const uid = this.#uidOf(folded)
    if (uid === undefined && [...this.#former.values()].includes(folded)) return undefined
    return { uid: uid ?? '', name: this.#written.get(uid ?? '') ?? name }
  }

  /**
   * The uid of a column, or the name of an inherited one. An own column takes the place of an inherited one of its name, and the first of
   * several of a name stands for all.
   */
  idOf({ uid, name }: { uid: string; name: string }): string {
    const folded = this.#names.get(uid) ?? this.#former.get(uid) ?? foldName(name)
    return this.#uidOf(folded) ?? `name ${folded}`
  }

  #uidOf(folded: string): string | undefined {
    return this.#present.get(folded) ?? this.#renamed.get(folded)
  }
}

function firstOf(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(entries.toReversed())
}
