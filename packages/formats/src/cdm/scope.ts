import { ImportError } from '../import-error.ts'
import { bounds } from './bounds.ts'
import type { Corpus, LoadedDocument } from './corpus.ts'
import type { DataTypeDefinition, EntityDefinition } from './document.ts'
import type { Choice } from './choices.ts'
import type { Member } from './member.ts'

/** A definition and the document that holds it. */
export type Found<T> = { in: LoadedDocument; is: T }
export type FoundEntity = Found<EntityDefinition>

type Kinds = {
  entities: EntityDefinition
  groups: readonly Member[]
  dataTypes: DataTypeDefinition
  constants: readonly Choice[]
}

/**
 * What a name means from a document: its own definition, then those of its imports, the last in the list first, then those of the
 * imports' imports, breadth first. A name in a document that is imported under a moniker counts last, and only for the importer.
 */
export class Scope {
  readonly #documents: readonly LoadedDocument[]
  readonly #defining = {
    entities: new Map<string, number[]>(),
    groups: new Map<string, number[]>(),
    dataTypes: new Map<string, number[]>(),
    constants: new Map<string, number[]>(),
  }
  readonly #ranks = new Map<number, Int32Array>()
  readonly #monikers = new Map<number, ReadonlyMap<string, number>>()
  #followed = 0

  constructor(corpus: Corpus) {
    this.#documents = corpus.documents
    for (const { index, document } of corpus.documents) {
      for (const kind of ['entities', 'groups', 'dataTypes', 'constants'] as const) {
        for (const name of document[kind].keys()) add(this.#defining[kind], name, index)
      }
    }
  }

  /** The definition that the name means from the first of the documents from which it means one. */
  find<K extends keyof Kinds>(kind: K, name: string, ...from: readonly LoadedDocument[]): Found<Kinds[K]> | undefined {
    for (const document of from) {
      const found = this.#find(kind, name, document)
      if (found) return found
    }
    return undefined
  }

  #find<K extends keyof Kinds>(kind: K, name: string, from: LoadedDocument): Found<Kinds[K]> | undefined {
    const holder = this.#closest(this.#defining[kind].get(name) ?? [], from) ?? undefined
    if (holder) return definitionIn(holder, kind, name)
    const slash = name.indexOf('/')
    if (slash <= 0) return undefined
    const behind = this.#monikersOf(from).get(name.slice(0, slash))
    const document = behind === undefined ? undefined : this.#documents[behind]
    return document && this.#find(kind, name.slice(slash + 1), document)
  }

  #closest(candidates: readonly number[], from: LoadedDocument): LoadedDocument | undefined {
    if (candidates.length === 0) return undefined
    const ranks = this.#ranksOf(from)
    let closest: number | undefined
    let lowest = Number.POSITIVE_INFINITY
    for (const candidate of candidates) {
      const rank = ranks[candidate] ?? -1
      if (rank < 0 || rank >= lowest) continue
      lowest = rank
      closest = candidate
    }
    return closest === undefined ? undefined : this.#documents[closest]
  }

  #ranksOf(from: LoadedDocument): Int32Array {
    const known = this.#ranks.get(from.index)
    if (known) return known
    const ranks = this.#rank(from)
    // Entities are resolved one after the other: a few points of view are enough, and all would grow with the square.
    const [oldest] = this.#ranks.keys()
    if (this.#ranks.size >= keptViews && oldest !== undefined) this.#ranks.delete(oldest)
    this.#ranks.set(from.index, ranks)
    return ranks
  }

  #rank(from: LoadedDocument): Int32Array {
    const ranks = new Int32Array(this.#documents.length).fill(-1)
    const seen = new Uint8Array(this.#documents.length)
    const queue = [from]
    let next = 0
    ranks[from.index] = next++
    seen[from.index] = 1
    for (const loaded of queue) {
      this.#count(loaded.imports.length)
      for (let at = loaded.imports.length - 1; at >= 0; at--) {
        const item = loaded.imports[at]
        const document = item && this.#documents[item.to]
        if (!item || !document) continue
        if (item.moniker === undefined && ranks[item.to] === -1) ranks[item.to] = next++
        if (seen[item.to] === 1) continue
        seen[item.to] = 1
        queue.push(document)
      }
    }
    for (const item of from.imports.toReversed()) {
      if (ranks[item.to] === -1) ranks[item.to] = next++
    }
    return ranks
  }

  #count(imports: number): void {
    this.#followed += imports
    if (this.#followed > bounds.followedImports) {
      throw new ImportError('too-large', 'The documents of this folder import each other too often to be read.')
    }
  }

  /** The documents behind monikers. A moniker is passed on through plain imports; its nearest use wins. */
  #monikersOf(from: LoadedDocument): ReadonlyMap<string, number> {
    const known = this.#monikers.get(from.index)
    if (known) return known
    const monikers = new Map<string, number>()
    const seen = new Set([from.index])
    const queue = [from]
    for (const loaded of queue) {
      this.#count(loaded.imports.length)
      for (const item of loaded.imports.toReversed()) {
        if (item.moniker !== undefined) {
          if (!monikers.has(item.moniker)) monikers.set(item.moniker, item.to)
          continue
        }
        const document = this.#documents[item.to]
        if (!document || seen.has(item.to)) continue
        seen.add(item.to)
        queue.push(document)
      }
    }
    this.#monikers.set(from.index, monikers)
    return monikers
  }
}

const keptViews = 64

/** Where a definition is, as a corpus path: `/core/applicationCommon/Account.cdm.json/Account`. */
export function corpusPathOf(found: FoundEntity): string {
  return `/${found.in.document.path}/${found.is.name}`
}

export function definitionIn<K extends keyof Kinds>(
  document: LoadedDocument,
  kind: K,
  name: string,
): Found<Kinds[K]> | undefined {
  const definitions: ReadonlyMap<string, Kinds[K]> = definitionsOf(document, kind)
  const definition = definitions.get(name)
  return definition === undefined ? undefined : { in: document, is: definition }
}

function definitionsOf<K extends keyof Kinds>(
  loaded: LoadedDocument,
  kind: K,
): { [P in keyof Kinds]: ReadonlyMap<string, Kinds[P]> }[K] {
  return loaded.document[kind]
}

function add(index: Map<string, number[]>, name: string, document: number): void {
  const known = index.get(name)
  if (known) known.push(document)
  else index.set(name, [document])
}
