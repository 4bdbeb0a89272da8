import { purposes } from '@cadmus/model/type-attribute'
import { bounds } from './bounds.ts'
import { formatOfTraits, type CdmFormat } from './data-types.ts'
import { folderOfPath, type Corpus, type LoadedDocument } from './corpus.ts'
import { definitionIn, Scope, type Found, type FoundEntity } from './scope.ts'
import { standardDocument, standardTypes } from './standard.ts'
import type { Attribute } from './attribute.ts'
import type { Choice } from './choices.ts'
import type { DataTypeDefinition, PurposeDefinition } from './document.ts'
import { PerView } from './per-view.ts'
import { isKey } from './resolved.ts'
import { boundedTraits, boundsOver, statedOver, type Stated, type ValueBounds } from './stated.ts'

/** From where names are looked up: the document of the entity that is resolved, then the one where the name is written. */
export type Outlook = { view: LoadedDocument; written: LoadedDocument }

/** The entities, data types and value lists that names mean. */
export class Lookup {
  readonly scope: Scope
  readonly #corpus: Corpus
  /** Whether any data type or purpose of the folder says anything of attributes: most folders have none. */
  readonly #hasStatingTypes: boolean
  readonly #hasPurposes: boolean
  readonly #stated = new PerView((type, outlook) => this.#statedBy(type, outlook))
  readonly #identifying = new PerView((purpose, outlook) => this.#identifies(purpose, outlook))
  readonly #keyed = new WeakMap<Attribute, Attribute>()

  constructor(corpus: Corpus) {
    this.#corpus = corpus
    this.scope = new Scope(corpus)
    const documents = corpus.documents.map(({ document }) => document)
    this.#hasStatingTypes = documents.some(({ dataTypes }) => dataTypes.values().some(isStating))
    this.#hasPurposes = documents.some(document => document.purposes.size > 0)
  }

  entity(name: string, { view, written }: Outlook): FoundEntity | undefined {
    return this.scope.find('entities', name, view, written) ?? this.entityAt(name, written)
  }

  /** An entity named by its path instead of its name; only among the documents that are loaded. */
  entityAt(corpusPath: string, from: LoadedDocument): FoundEntity | undefined {
    const { path, object } = splitPath(corpusPath)
    if (object === undefined) return undefined
    const folder = folderOfPath(from.document.path)
    const located = this.#corpus.locate(path, folder) ?? this.#corpus.locate(`/${path}`, folder)
    const document = located === undefined ? undefined : this.#corpus.loaded(located)
    return document && definitionIn(document, 'entities', object)
  }

  /** The format of the attribute's data type; undefined where it has none that anything defines. */
  format(attribute: Attribute, outlook: Outlook): CdmFormat | undefined {
    const byName = attribute.dataType === undefined ? undefined : this.#formatOfType(attribute.dataType, outlook)
    return byName ?? attribute.dataFormat
  }

  choices({ choices }: Pick<Attribute, 'choices'>, { view, written }: Outlook): readonly Choice[] {
    if (choices === undefined) return []
    if (!('constant' in choices)) return choices
    return this.scope.find('constants', choices.constant, view, written)?.is ?? []
  }

  /** The attribute with what its data type, one of the folder's own, states and it does not itself. */
  typed(attribute: Attribute, outlook: Outlook): Attribute {
    if (!this.#hasStatingTypes || attribute.dataType === undefined) return attribute
    const { states, bounds: valueBounds } = this.#stated.get(attribute.dataType, outlook)
    const traits = boundedTraits(attribute.traits ?? [], valueBounds)
    return { ...statedOver(states, attribute), ...(traits.length > 0 && { traits }) }
  }

  /** The attribute, which is a key where a purpose of the folder makes it one. */
  keyed(attribute: Attribute, outlook: Outlook): Attribute {
    const { purpose } = attribute
    if (!this.#hasPurposes || purpose === undefined || isOfModel(purpose) || isKey(attribute)) return attribute
    if (!this.#identifying.get(purpose, outlook)) return attribute
    const known = this.#keyed.get(attribute) ?? { ...attribute, isKey: true }
    this.#keyed.set(attribute, known)
    return known
  }

  #identifies(first: string, { view, written }: Outlook): boolean {
    const passed = new Set<string>()
    let name: string | undefined = first
    while (name !== undefined && !passed.has(name) && passed.size < bounds.extendsDepth) {
      if (name === 'identifiedBy') return true
      passed.add(name)
      const found: Found<PurposeDefinition> | undefined = this.scope.find('purposes', name, view, written)
      if (found?.is.identifies) return true
      name = found?.is.extendsPurpose
    }
    return false
  }

  /** Of a data type and what it extends; the nearest counts. */
  #statedBy(first: string, { view, written }: Outlook): { states: Stated; bounds: ValueBounds } {
    const passed = new Set<string>()
    let name: string | undefined = first
    let states: Stated = {}
    let values: ValueBounds = {}
    while (name !== undefined && !passed.has(name) && passed.size < bounds.extendsDepth) {
      passed.add(name)
      const found: Found<DataTypeDefinition> | undefined = this.scope.find('dataTypes', name, view, written)
      if (found?.is.states) {
        // A list is named where the data type is written.
        const choices = this.choices(found.is.states, { view, written: found.in })
        states = statedOver({ ...found.is.states, ...(choices.length > 0 && { choices }) }, states)
      }
      values = boundsOver(found?.is.bounds ?? {}, values)
      name = found?.is.extendsDataType
    }
    return { states, bounds: values }
  }

  #formatOfType(first: string, { view, written }: Outlook): CdmFormat | undefined {
    const traits: string[] = []
    const passed = new Set<string>()
    let name: string | undefined = first
    let ending: CdmFormat | undefined
    let known: CdmFormat | undefined
    while (name !== undefined && !passed.has(name) && passed.size < bounds.extendsDepth) {
      passed.add(name)
      known ??= standardTypes.get(name)
      const found: Found<DataTypeDefinition> | undefined = this.scope.find('dataTypes', name, view, written)
      if (!found || found.in.document === standardDocument) {
        ending = standardTypes.get(name)
        break
      }
      traits.unshift(...found.is.traits)
      name = found.is.extendsDataType
    }
    const byTraits = formatOfTraits(traits)
    return byTraits === 'Unknown' ? (ending ?? known) : byTraits
  }
}

function isOfModel(purpose: string): boolean {
  return purposes.some(one => one === purpose)
}

function isStating({ states = {}, bounds: { minimumValue, maximumValue } = {} }: DataTypeDefinition): boolean {
  return Object.keys(states).length > 0 || minimumValue !== undefined || maximumValue !== undefined
}

/** `a/B.cdm.json/B` as the path of the document and the name in it. */
export function splitPath(corpusPath: string): { path: string; object: string | undefined } {
  const end = corpusPath.indexOf('.cdm.json/')
  if (end < 0) return { path: corpusPath, object: undefined }
  const path = corpusPath.slice(0, end + '.cdm.json'.length)
  return { path, object: corpusPath.slice(path.length + 1) }
}
