import { purposes } from '@cadmus/model/type-attribute'
import type { Attribute } from './attribute.ts'
import { bounds } from './bounds.ts'
import type { Choice } from './choices.ts'
import { type Corpus, folderOfPath, type LoadedDocument, standardDocument } from './corpus.ts'
import { type CdmFormat, formatOfTraits } from './data-types.ts'
import { boundedTraits, boundsOver, type DeclaredValues, mergeDeclared, type ValueBounds } from './declared-values.ts'
import type { DataTypeDefinition, PurposeDefinition } from './document.ts'
import { isKey } from './resolved.ts'
import { definitionIn, type LocatedDefinition, type LocatedEntity, Scope } from './scope.ts'
import { standardTypes } from './standard.ts'

/**
 * Documents from which names are resolved: the document of the entity being resolved, then the document that contains
 * the name.
 */
export type ResolutionScope = { view: LoadedDocument; written: LoadedDocument }

export class Lookup {
  readonly scope: Scope
  readonly #corpus: Corpus
  /** Whether any data type or purpose of the folder declares attribute properties; most folders do not. */
  readonly #hasDeclaringTypes: boolean
  readonly #hasPurposes: boolean
  readonly #declaredValues = new DocumentCache((type, resolution) => this.#valuesDeclaredBy(type, resolution))
  readonly #identifying = new DocumentCache((purpose, resolution) => this.#identifies(purpose, resolution))
  readonly #keyed = new WeakMap<Attribute, Attribute>()

  constructor(corpus: Corpus) {
    this.#corpus = corpus
    this.scope = new Scope(corpus)
    const documents = corpus.documents.map(({ document }) => document)
    this.#hasDeclaringTypes = documents.some(({ dataTypes }) => dataTypes.values().some(isDeclaring))
    this.#hasPurposes = documents.some(document => document.purposes.size > 0)
  }

  entity(name: string, { view, written }: ResolutionScope): LocatedEntity | undefined {
    return this.scope.find('entities', name, view, written) ?? this.entityAt(name, written)
  }

  /** Finds an entity by path, among the loaded documents only. */
  entityAt(corpusPath: string, from: LoadedDocument): LocatedEntity | undefined {
    const { path, object } = splitPath(corpusPath)
    if (object === undefined) return undefined
    const folder = folderOfPath(from.document.path)
    const located = this.#corpus.locate(path, folder) ?? this.#corpus.locate(`/${path}`, folder)
    const document = located === undefined ? undefined : this.#corpus.loaded(located)
    return document && definitionIn(document, 'entities', object)
  }

  /** Format of the attribute's data type; undefined without a defined data type. */
  format(attribute: Attribute, resolution: ResolutionScope): CdmFormat | undefined {
    const byName = attribute.dataType === undefined ? undefined : this.#formatOfType(attribute.dataType, resolution)
    return byName ?? attribute.dataFormat
  }

  choices({ choices }: Pick<Attribute, 'choices'>, { view, written }: ResolutionScope): readonly Choice[] {
    if (choices === undefined) return []
    if (!('constant' in choices)) return choices
    return this.scope.find('constants', choices.constant, view, written)?.is ?? []
  }

  /** The attribute completed with the properties that its data type in the folder declares. */
  typed(attribute: Attribute, resolution: ResolutionScope): Attribute {
    if (!this.#hasDeclaringTypes || attribute.dataType === undefined) return attribute
    const { states, bounds: valueBounds } = this.#declaredValues.get(attribute.dataType, resolution)
    const traits = boundedTraits(attribute.traits ?? [], valueBounds)
    return { ...mergeDeclared(states, attribute), ...(traits.length > 0 && { traits }) }
  }

  /** The attribute, marked as key if its purpose extends identifiedBy. */
  keyed(attribute: Attribute, resolution: ResolutionScope): Attribute {
    const { purpose } = attribute
    if (!this.#hasPurposes || purpose === undefined || isOfModel(purpose) || isKey(attribute)) return attribute
    if (!this.#identifying.get(purpose, resolution)) return attribute
    const cached = this.#keyed.get(attribute) ?? { ...attribute, isKey: true }
    this.#keyed.set(attribute, cached)
    return cached
  }

  #identifies(first: string, { view, written }: ResolutionScope): boolean {
    const passed = new Set<string>()
    let name: string | undefined = first
    while (name !== undefined && !passed.has(name) && passed.size < bounds.extendsDepth) {
      if (name === 'identifiedBy') return true
      passed.add(name)
      const definition: LocatedDefinition<PurposeDefinition> | undefined = this.scope.find(
        'purposes',
        name,
        view,
        written,
      )
      if (definition?.is.identifies) return true
      name = definition?.is.extendsPurpose
    }
    return false
  }

  /** Properties declared by a data type and its ancestors; the nearest wins. */
  #valuesDeclaredBy(
    first: string,
    { view, written }: ResolutionScope,
  ): { states: DeclaredValues; bounds: ValueBounds } {
    const passed = new Set<string>()
    let name: string | undefined = first
    let states: DeclaredValues = {}
    let values: ValueBounds = {}
    while (name !== undefined && !passed.has(name) && passed.size < bounds.extendsDepth) {
      passed.add(name)
      const definition: LocatedDefinition<DataTypeDefinition> | undefined = this.scope.find(
        'dataTypes',
        name,
        view,
        written,
      )
      if (definition?.is.states) {
        // List names are resolved from the document of the data type.
        const choices = this.choices(definition.is.states, { view, written: definition.in })
        states = mergeDeclared({ ...definition.is.states, ...(choices.length > 0 && { choices }) }, states)
      }
      values = boundsOver(definition?.is.bounds ?? {}, values)
      name = definition?.is.extendsDataType
    }
    return { states, bounds: values }
  }

  #formatOfType(first: string, { view, written }: ResolutionScope): CdmFormat | undefined {
    const traits: string[] = []
    const passed = new Set<string>()
    let name: string | undefined = first
    let ending: CdmFormat | undefined
    let cached: CdmFormat | undefined
    while (name !== undefined && !passed.has(name) && passed.size < bounds.extendsDepth) {
      passed.add(name)
      cached ??= standardTypes.get(name)
      const definition: LocatedDefinition<DataTypeDefinition> | undefined = this.scope.find(
        'dataTypes',
        name,
        view,
        written,
      )
      if (!definition || definition.in.document === standardDocument) {
        ending = standardTypes.get(name)
        break
      }
      traits.unshift(...definition.is.traits)
      name = definition.is.extendsDataType
    }
    const byTraits = formatOfTraits(traits)
    return byTraits === 'Unknown' ? (ending ?? cached) : byTraits
  }
}

function isOfModel(purpose: string): boolean {
  return purposes.some(one => one === purpose)
}

function isDeclaring({ states = {}, bounds: { minimumValue, maximumValue } = {} }: DataTypeDefinition): boolean {
  return Object.keys(states).length > 0 || minimumValue !== undefined || maximumValue !== undefined
}

/** Splits `a/B.cdm.json/B` into document path and object name. */
export function splitPath(corpusPath: string): { path: string; object: string | undefined } {
  const end = corpusPath.indexOf('.cdm.json/')
  if (end < 0) return { path: corpusPath, object: undefined }
  const path = corpusPath.slice(0, end + '.cdm.json'.length)
  return { path, object: corpusPath.slice(path.length + 1) }
}

/**
 * Caches name lookups per document. Only the current document is kept, because entities are resolved consecutively;
 * without the cache, long import chains would be followed repeatedly.
 */
class DocumentCache<T> {
  readonly #find: (name: string, resolution: ResolutionScope) => T
  readonly #cache = new Map<LoadedDocument, Map<string, T>>()
  #view: LoadedDocument | undefined

  constructor(find: (name: string, resolution: ResolutionScope) => T) {
    this.#find = find
  }

  get(name: string, resolution: ResolutionScope): T {
    if (resolution.view !== this.#view) this.#cache.clear()
    this.#view = resolution.view
    const cache = this.#cache.get(resolution.written) ?? new Map<string, T>()
    this.#cache.set(resolution.written, cache)
    const result = cache.get(name) ?? this.#find(name, resolution)
    cache.set(name, result)
    return result
  }
}
