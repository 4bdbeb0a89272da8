import { isAboutOneDocument, quoted } from '../import-error.ts'
import type { Files } from '../archive.ts'
import { readDocument, type CdmDocument, type EntityDefinition } from './document.ts'
import { parseJson, type JsonBudget } from './json.ts'
import { isStandardDocument, rootEntity, standardTypes } from './standard.ts'
import type { Report } from './report.ts'

/** A loaded document with its number and the numbers of its imports, in order. */
export type LoadedDocument = {
  index: number
  document: CdmDocument
  imports: { to: number; moniker: string | undefined }[]
}

/** Replaces every standard document that a folder imports but does not contain. */
export const standardDocument: CdmDocument = {
  path: 'foundations.cdm.json',
  version: undefined,
  imports: [],
  entities: new Map([rootEntity, 'reference'].map(name => [name, emptyEntity(name)])),
  groups: new Map(),
  dataTypes: new Map([...standardTypes.keys()].map(name => [name, { name, extendsDataType: undefined, traits: [] }])),
  purposes: new Map(),
  constants: new Map(),
}

function emptyEntity(name: string): EntityDefinition {
  return {
    name,
    extendsEntity: undefined,
    inherits: undefined,
    projections: [],
    description: '',
    members: [],
    traits: [],
  }
}

/** Loads each document of a folder once and substitutes missing standard documents. */
export class Corpus {
  readonly documents: LoadedDocument[] = []
  readonly #files: Files
  readonly #report: Report
  readonly #keys = new Map<string, string>()
  readonly #byPath = new Map<string, LoadedDocument | undefined>()
  readonly #followed = new Set<LoadedDocument>()
  readonly #budget: JsonBudget = { containers: 0 }
  readonly #repeated = new Set<string>()
  readonly #missing = new Map<string, string[]>()
  /** Folder that wraps the whole zip, if any; `/x` may then refer to `<folder>/x`. */
  #wrapper = ''

  constructor(files: Files, report: Report) {
    this.#files = files
    this.#report = report
    // File names may be in decomposed Unicode form, whereas documents use the composed form.
    for (const key of files.keys()) this.#keys.set(key.replace(/^(?:\.?\/)+/, '').normalize(), key)
  }

  paths(): Iterable<string> {
    return this.#keys.keys()
  }

  set root(path: string) {
    this.#wrapper = folderOfPath(path)
  }

  /** Parses a file as JSON; undefined if there is no such file. Throws ImportError. */
  json(path: string): unknown {
    const content = this.content(path)
    const onRepeated = (message: string) => this.#reportRepeated(path, message)
    return content === undefined ? undefined : parseJson(content, path, { budget: this.#budget, onRepeated })
  }

  /** Reports duplicate keys once per file, because some files are read repeatedly. */
  #reportRepeated(path: string, message: string): void {
    if (!this.#repeated.has(path)) this.#report.changed(path, message)
    this.#repeated.add(path)
  }

  /** Contents of a file; undefined if there is no such file. */
  content(path: string): Uint8Array | string | undefined {
    const key = this.#keys.get(path)
    return key === undefined ? undefined : this.#files.get(key)
  }

  /** Resolves a corpus path in a document of the given folder to a file; undefined if there is none. */
  locate(corpusPath: string, folder: string): string | undefined {
    const path = pathFrom(corpusPath, folder)
    if (this.#keys.has(path)) return path
    const wrapped = normalized(`${this.#wrapper}/${path}`)
    return isAbsolute(corpusPath) && this.#keys.has(wrapped) ? wrapped : undefined
  }

  /** Loads a document with its transitive imports. If it cannot be read, reports that and returns undefined. */
  load(path: string, each: () => void): LoadedDocument | undefined {
    const first = this.#read(path)
    const waiting = first ? [first] : []
    for (let loaded = waiting.pop(); loaded; loaded = waiting.pop()) {
      if (this.#followed.has(loaded)) continue
      this.#followed.add(loaded)
      each()
      for (const item of loaded.document.imports) {
        const imported = this.#import(item.corpusPath, loaded.document.path)
        if (!imported) continue
        loaded.imports.push({ to: imported.index, moniker: item.moniker })
        waiting.push(imported)
      }
    }
    return first
  }

  /** A document that is already loaded; imports do not load further ones. */
  loaded(path: string): LoadedDocument | undefined {
    return this.#byPath.get(path)
  }

  /** Reports each missing import once, with the number of documents that import it. */
  reportMissing(): void {
    for (const [corpusPath, [first = '', ...others]] of this.#missing) {
      const count = others.length === 1 ? 'One more document imports' : `${others.length} more documents import`
      const also = others.length === 0 ? '' : ` ${count} it.`
      this.#report.lost(first, `The imported document ${quoted(corpusPath)} is not in the folder.${also}`)
    }
  }

  #import(corpusPath: string, from: string): LoadedDocument | undefined {
    const path = this.locate(corpusPath, folderOfPath(from))
    if (path !== undefined) return this.#read(path)
    if (isStandardDocument(withoutNamespace(corpusPath))) return this.#add('standard', standardDocument)
    const importers = this.#missing.get(corpusPath)
    if (importers) importers.push(from)
    else this.#missing.set(corpusPath, [from])
    return undefined
  }

  #read(path: string): LoadedDocument | undefined {
    if (this.#byPath.has(path)) return this.#byPath.get(path)
    if (!this.#keys.has(path)) return undefined
    try {
      return this.#add(path, readDocument(this.json(path), path, this.#report))
    } catch (error) {
      if (!isAboutOneDocument(error)) throw error
      this.#report.error(path, error.message)
      this.#byPath.set(path, undefined)
      return undefined
    }
  }

  #add(key: string, document: CdmDocument): LoadedDocument {
    const cached = this.#byPath.get(key)
    if (cached) return cached
    const loaded = { index: this.documents.length, document, imports: [] }
    this.documents.push(loaded)
    this.#byPath.set(key, loaded)
    return loaded
  }
}

export function folderOfPath(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

/** The path that a corpus path refers to, whether or not the file exists. */
export function pathFrom(corpusPath: string, folder: string): string {
  return normalized(isAbsolute(corpusPath) ? withoutNamespace(corpusPath) : `${folder}/${corpusPath}`)
}

function isAbsolute(corpusPath: string): boolean {
  const rest = withoutNamespace(corpusPath)
  return rest.startsWith('/') || rest !== corpusPath
}

function withoutNamespace(corpusPath: string): string {
  return /^[^/:]*:(.*)$/s.exec(corpusPath)?.[1] ?? corpusPath
}

/** Removes empty and `.` segments and resolves `..`, without leaving the root. */
function normalized(path: string): string {
  if (isNormalized.test(path)) return path
  const parts: string[] = []
  for (const part of path.normalize().split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** Fast path: a path without segments to resolve or characters to normalise. */
const isNormalized = /^(?!\/)(?:(?:^|\/)(?!\.{0,2}(?:\/|$))[!-.0-~]+)+$/
