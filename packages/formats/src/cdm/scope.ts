import { ImportError } from '../import-error.ts'
import { bounds } from './bounds.ts'
import type { Corpus, LoadedDocument } from './corpus.ts'
import type { DataTypeDefinition, EntityDefinition, PurposeDefinition } from './document.ts'
import type { Choice } from './choices.ts'
import type { Member } from './member.ts'

export type LocatedDefinition<T> = { in: LoadedDocument; is: T }
export type LocatedEntity = LocatedDefinition<EntityDefinition>

type Kinds = {
  entities: EntityDefinition
  groups: readonly Member[]
  dataTypes: DataTypeDefinition
  purposes: PurposeDefinition
  constants: readonly Choice[]
}

/**
 * Resolves names from a document: own definitions first, then imports from the last to the first, then transitive
 * imports, breadth first. Names behind a moniker have the lowest rank and are visible only to the importing document.
 */
export class Scope {
  readonly #documents: readonly LoadedDocument[]
  readonly #defining = {
    entities: new Map<string, number[]>(),
    groups: new Map<string, number[]>(),
    dataTypes: new Map<string, number[]>(),
    purposes: new Map<string, number[]>(),
    constants: new Map<string, number[]>(),
  }
  /** Stamp of the last search that visited each document. */
  readonly #seen: Int32Array
  #stamp = 0
  readonly #views = new Map<number, View>()
  readonly #monikers = new Map<number, ReadonlyMap<string, number>>()
  #followed = 0

  constructor(corpus: Corpus) {
    this.#documents = corpus.documents
    this.#seen = new Int32Array(corpus.documents.length)
    for (const { index, document } of corpus.documents) {
      for (const kind of ['entities', 'groups', 'dataTypes', 'purposes', 'constants'] as const) {
        for (const name of document[kind].keys()) add(this.#defining[kind], name, index)
      }
    }
  }

  /** Looks the name up from each of the documents in turn and returns the first definition. */
  find<K extends keyof Kinds>(
    kind: K,
    name: string,
    ...from: readonly LoadedDocument[]
  ): LocatedDefinition<Kinds[K]> | undefined {
    for (const document of from) {
      const definition = this.#find(kind, name, document)
      if (definition) return definition
    }
    return undefined
  }

  /** A moniker selects the document in which the rest of the name, possibly with another moniker, is looked up. */
  #find<K extends keyof Kinds>(kind: K, whole: string, from: LoadedDocument): LocatedDefinition<Kinds[K]> | undefined {
    let name = whole
    let document: LoadedDocument | undefined = from
    for (let monikers = 0; document && monikers <= bounds.nestedMonikers; monikers++) {
      const holder = this.#closest(this.#defining[kind].get(name) ?? [], document)
      if (holder) return definitionIn(holder, kind, name)
      const slash = name.indexOf('/')
      if (slash <= 0) return undefined
      const behind: number | undefined = this.#monikersOf(document).get(name.slice(0, slash))
      document = behind === undefined ? undefined : this.#documents[behind]
      name = name.slice(slash + 1)
    }
    return undefined
  }

  #closest(candidates: readonly number[], from: LoadedDocument): LoadedDocument | undefined {
    if (candidates.length === 0) return undefined
    const { ranks } = this.#viewOf(from)
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

  #viewOf(from: LoadedDocument): View {
    const cached = this.#views.get(from.index)
    if (cached) return cached
    const view = this.#emptyView()
    this.#views.set(from.index, view)
    this.#rank(from, view)
    return view
  }

  /**
   * Entities are resolved consecutively, so a few cached views suffice; caching all would need quadratic memory.
   * Reuses the oldest view, at a cost proportional to its entries.
   */
  #emptyView(): View {
    const [oldest] = this.#views
    if (!oldest || this.#views.size < maxViews) {
      return { ranks: new Int32Array(this.#documents.length).fill(-1), ranked: [] }
    }
    const [index, view] = oldest
    this.#views.delete(index)
    for (const document of view.ranked) view.ranks[document] = -1
    view.ranked.length = 0
    return view
  }

  #rank(from: LoadedDocument, { ranks, ranked }: View): void {
    const rank = (index: number) => {
      if (ranks[index] !== -1) return
      ranks[index] = ranked.length
      ranked.push(index)
    }
    const stamp = ++this.#stamp
    const seen = this.#seen
    const queue = [from]
    rank(from.index)
    seen[from.index] = stamp
    for (const loaded of queue) {
      this.#count(loaded.imports.length)
      for (let at = loaded.imports.length - 1; at >= 0; at--) {
        const item = loaded.imports[at]
        const document = item && this.#documents[item.to]
        if (!item || !document) continue
        if (item.moniker === undefined) rank(item.to)
        if (seen[item.to] === stamp) continue
        seen[item.to] = stamp
        queue.push(document)
      }
    }
    for (const item of from.imports.toReversed()) rank(item.to)
  }

  #count(imports: number): void {
    this.#followed += imports
    if (this.#followed > bounds.followedImports) {
      throw new ImportError('too-large', 'The documents of this folder import each other too often to be read.')
    }
  }

  /** Documents by moniker. A moniker is inherited through plain imports; the nearest one wins. */
  #monikersOf(from: LoadedDocument): ReadonlyMap<string, number> {
    const cached = this.#monikers.get(from.index)
    if (cached) return cached
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
    const [oldest] = this.#monikers.keys()
    if (this.#monikers.size >= maxViews && oldest !== undefined) this.#monikers.delete(oldest)
    this.#monikers.set(from.index, monikers)
    return monikers
  }
}

const maxViews = 64

/** Documents visible from one document, by number: ranks (-1: not visible) and ranked document numbers. */
type View = { ranks: Int32Array; ranked: number[] }

/** Corpus path of a definition, e.g. `/core/applicationCommon/Account.cdm.json/Account`. */
export function corpusPathOf(definition: LocatedEntity): string {
  return `/${definition.in.document.path}/${definition.is.name}`
}

export function definitionIn<K extends keyof Kinds>(
  document: LoadedDocument,
  kind: K,
  name: string,
): LocatedDefinition<Kinds[K]> | undefined {
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
  const existing = index.get(name)
  if (existing) existing.push(document)
  else index.set(name, [document])
}
