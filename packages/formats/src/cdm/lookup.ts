import { bounds } from './bounds.ts'
import { formatOfTraits, type CdmFormat } from './data-types.ts'
import { folderOfPath, type Corpus, type LoadedDocument } from './corpus.ts'
import { definitionIn, Scope, type Found, type FoundEntity } from './scope.ts'
import { standardDocument, standardTypes } from './standard.ts'
import type { Attribute } from './attribute.ts'
import type { Choice } from './choices.ts'
import type { DataTypeDefinition } from './document.ts'

/** From where names are looked up: the document of the entity that is resolved, then the one where the name is written. */
export type Outlook = { view: LoadedDocument; written: LoadedDocument }

/** The entities, data types and value lists that names mean. */
export class Lookup {
  readonly scope: Scope
  readonly #corpus: Corpus

  constructor(corpus: Corpus) {
    this.#corpus = corpus
    this.scope = new Scope(corpus)
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

  choices(attribute: Attribute, { view, written }: Outlook): readonly Choice[] {
    if (attribute.choices === undefined) return []
    if (!('constant' in attribute.choices)) return attribute.choices
    return this.scope.find('constants', attribute.choices.constant, view, written)?.is ?? []
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

/** `a/B.cdm.json/B` as the path of the document and the name in it. */
export function splitPath(corpusPath: string): { path: string; object: string | undefined } {
  const end = corpusPath.indexOf('.cdm.json/')
  if (end < 0) return { path: corpusPath, object: undefined }
  const path = corpusPath.slice(0, end + '.cdm.json'.length)
  return { path, object: corpusPath.slice(path.length + 1) }
}
