import type { DatabaseType } from '@cadmus/model/database-types'
import type { TableNotes } from './database-notes.ts'
import { findingOf } from './finding.ts'
import type { Note } from './tree.ts'

/** The notes on one table: a list for each part of what each database says, with those that no database said before. */
type Told = {
  about: object
  types: string
  basis: readonly (TableNotes | undefined)[]
  lists: readonly (readonly Note[])[]
}
/** Some tables after another, and their lists of each part put together. */
type Run = { told: readonly Told[]; lists: readonly (readonly Note[])[] }

const runLength = 8

/**
 * What the databases say of the tables of one state of a schema after the other. Of a table of which each says what it said before,
 * the notes are the very same objects, and neighbours are put together anew only where one of them changed.
 */
export class ToldTables {
  #told: readonly Told[] = []
  #runs: readonly Run[] = []

  /** A database after the other, of each first all names, then what it says of the tables, then what is between them. */
  look(
    abouts: readonly object[],
    types: readonly DatabaseType[],
    found: readonly (readonly TableNotes[])[],
  ): readonly Note[] {
    const told = this.#toldOf(abouts, types, found)
    const runs = this.#runsOf(told)
    this.#told = told
    this.#runs = runs
    const lists: (readonly Note[])[] = []
    for (const part of told[0]?.lists.keys() ?? []) {
      for (const run of runs) {
        const list = run.lists[part]
        if (list && list.length > 0) lists.push(list)
      }
    }
    return lists.flat()
  }

  /** Plain loops: most of the work of an edit is to see that nothing else changed. */
  #toldOf(
    abouts: readonly object[],
    types: readonly DatabaseType[],
    found: readonly (readonly TableNotes[])[],
  ): readonly Told[] {
    const key = types.join()
    const before = this.#told
    let byTable: Map<object, Told> | undefined
    const told: Told[] = []
    for (const [index, about] of abouts.entries()) {
      const here = before[index]
      byTable ??= here?.about === about ? undefined : new Map(before.map(one => [one.about, one]))
      const known = here?.about === about ? here : byTable?.get(about)
      const isSame = known?.types === key && isBasis(known.basis, found, index)
      told.push(isSame ? known : newTold(about, key, types, found, index))
    }
    return told
  }

  #runsOf(told: readonly Told[]): readonly Run[] {
    const runs: Run[] = []
    for (let start = 0; start < told.length; start += runLength) {
      const before = this.#runs[runs.length]
      runs.push(before && isRun(before, told, start) ? before : newRun(told.slice(start, start + runLength)))
    }
    return runs
  }
}

function isBasis(basis: Told['basis'], found: readonly (readonly TableNotes[])[], index: number): boolean {
  for (let place = 0; place < found.length; place += 1) if (found[place]?.[index] !== basis[place]) return false
  return true
}

function isRun({ told: before }: Run, told: readonly Told[], start: number): boolean {
  if (before.length !== Math.min(runLength, told.length - start)) return false
  for (let place = 0; place < before.length; place += 1) if (before[place] !== told[start + place]) return false
  return true
}

function newRun(told: readonly Told[]): Run {
  const parts = Array.from(told[0]?.lists ?? [], (_, part) => told.flatMap(({ lists }) => lists[part] ?? []))
  return { told, lists: parts }
}

function newTold(
  about: object,
  key: string,
  types: readonly DatabaseType[],
  found: readonly (readonly TableNotes[])[],
  index: number,
): Told {
  const basis = found.map(notes => notes[index])
  return { about, types: key, basis, lists: listsOf(basis, types) }
}

function listsOf(basis: Told['basis'], types: readonly DatabaseType[]): Told['lists'] {
  const said = new Map<string, Note & { databases: DatabaseType[] }>()
  return basis.flatMap((parts, index) =>
    Array.from(parts ?? [], part => {
      const type = types[index]
      return part.flatMap(note => {
        const key = `${findingOf(note)}\0${note.message}`
        const before = said.get(key)
        const databases = type ? [type] : []
        before?.databases.push(...databases)
        if (before) return []
        const first = { ...note, databases }
        said.set(key, first)
        return [first]
      })
    }),
  )
}
