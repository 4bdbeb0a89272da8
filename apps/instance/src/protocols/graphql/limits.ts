import { GraphQLError, Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'

/** Limits of one document: more than any client needs, and small enough to keep an answer short. */
export const graphQlLimits = { characters: 100_000, tokens: 4000, depth: 12, fields: 2000, rootFields: 20 } as const

type QuerySize = { depth: number; fields: number }

/**
 * Returns the error of a document beyond the limits, undefined within them. Fragments count at each spread, but each is
 * measured once, which keeps this linear. Introspection fields count by number only, since their queries nest deeper.
 */
export function limitError(document: DocumentNode): GraphQLError | undefined {
  const counter = new SizeCounter(document)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { depth, fields } = counter.measure(definition.selectionSet)
    const { rootFields } = graphQlLimits
    if (depth > graphQlLimits.depth) return tooLarge(`nested at most ${graphQlLimits.depth} levels deep`)
    if (fields > graphQlLimits.fields) return tooLarge(`limited to ${graphQlLimits.fields} fields`)
    if (counter.rootFields(definition.selectionSet) > rootFields)
      return tooLarge(`limited to ${rootFields} root fields`)
  }
  return undefined
}

function tooLarge(limit: string): GraphQLError {
  return new GraphQLError(`A query must be ${limit}.`)
}

const emptySize: QuerySize = { depth: 0, fields: 0 }

class SizeCounter {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #cached = new Map<string, QuerySize>()
  /** Fragments being measured: a cycle counts as empty here and is refused by the validation. */
  readonly #open = new Set<string>()

  constructor({ definitions }: DocumentNode) {
    const fragments = definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
    this.#fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]))
  }

  measure({ selections }: SelectionSetNode): QuerySize {
    let depth = 0
    let fields = 0
    for (const selection of selections) {
      const below = this.#of(selection)
      depth = Math.max(depth, below.depth)
      fields = Math.min(fields + below.fields, Number.MAX_SAFE_INTEGER)
    }
    return { depth, fields }
  }

  rootFields({ selections }: SelectionSetNode): number {
    return selections.reduce((count, selection) => {
      if (selection.kind === Kind.FIELD) return count + 1
      const isInline = selection.kind === Kind.INLINE_FRAGMENT
      return count + (isInline ? this.rootFields(selection.selectionSet) : this.#spread(selection.name.value).fields)
    }, 0)
  }

  #of(selection: SelectionSetNode['selections'][number]): QuerySize {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#spread(selection.name.value)
    const below = selection.selectionSet ? this.measure(selection.selectionSet) : emptySize
    if (selection.kind === Kind.INLINE_FRAGMENT) return below
    const depth = selection.name.value.startsWith('__') ? 1 : below.depth + 1
    return { depth, fields: below.fields + 1 }
  }

  #spread(name: string): QuerySize {
    const cached = this.#cached.get(name)
    const fragment = this.#fragments.get(name)
    if (cached || !fragment || this.#open.has(name)) return cached ?? emptySize
    this.#open.add(name)
    const size = this.measure(fragment.selectionSet)
    this.#open.delete(name)
    this.#cached.set(name, size)
    return size
  }
}
