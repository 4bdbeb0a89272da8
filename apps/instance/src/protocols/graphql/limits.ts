import { GraphQLError, Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'

/** What one document may ask for: more than any client needs, and nothing that could keep the instance busy for long. */
export const graphQlLimits = { characters: 100_000, tokens: 4000, depth: 12, fields: 2000, rootFields: 20 } as const

type Reckoned = { depth: number; fields: number }

/**
 * What a document asks for beyond the limits, with every fragment put in its place; undefined where it keeps them. Each fragment is
 * reckoned once, so that this is linear in the document whatever it would unfold to. What a schema says of itself nests deeper and
 * counts by its fields only.
 */
export function beyondLimits(document: DocumentNode): GraphQLError | undefined {
  const reckoner = new Reckoner(document)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { depth, fields } = reckoner.reckon(definition.selectionSet)
    const { rootFields } = graphQlLimits
    if (depth > graphQlLimits.depth) return beyond(`nested at most ${graphQlLimits.depth} levels deep`)
    if (fields > graphQlLimits.fields) return beyond(`at most ${graphQlLimits.fields} fields`)
    if (reckoner.rootFields(definition.selectionSet) > rootFields)
      return beyond(`at most ${rootFields} fields at its root`)
  }
  return undefined
}

function beyond(limit: string): GraphQLError {
  return new GraphQLError(`A query asks for ${limit}.`)
}

const nothing: Reckoned = { depth: 0, fields: 0 }

class Reckoner {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #known = new Map<string, Reckoned>()
  /** Fragments on the way to where it reckons: one within itself is left out here and refused by the validation. */
  readonly #open = new Set<string>()

  constructor({ definitions }: DocumentNode) {
    const fragments = definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
    this.#fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]))
  }

  reckon({ selections }: SelectionSetNode): Reckoned {
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

  #of(selection: SelectionSetNode['selections'][number]): Reckoned {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#spread(selection.name.value)
    const below = selection.selectionSet ? this.reckon(selection.selectionSet) : nothing
    if (selection.kind === Kind.INLINE_FRAGMENT) return below
    const depth = selection.name.value.startsWith('__') ? 1 : below.depth + 1
    return { depth, fields: below.fields + 1 }
  }

  #spread(name: string): Reckoned {
    const known = this.#known.get(name)
    const fragment = this.#fragments.get(name)
    if (known || !fragment || this.#open.has(name)) return known ?? nothing
    this.#open.add(name)
    const reckoned = this.reckon(fragment.selectionSet)
    this.#open.delete(name)
    this.#known.set(name, reckoned)
    return reckoned
  }
}
