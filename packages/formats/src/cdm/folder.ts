import type { DatabaseType } from '@cadmus/model/database-types'
import { ImportError, quoted } from '../import-error.ts'
import type { Files } from '../archive.ts'
import type { ImportedEntity } from '../imported-model.ts'
import { Corpus } from './corpus.ts'
import { Sidecar } from './read-sidecar.ts'
import { Lookup } from './lookup.ts'
import { readManifests, type Manifest } from './manifest.ts'
import { Report } from './report.ts'
import { Resolver } from './resolve.ts'
import { corpusPathOf, definitionIn, type LocatedEntity } from './scope.ts'

export type Phase = 'read' | 'resolve' | 'convert'

export type ReadOptions = {
  /** Called periodically with the progress of a phase. */
  onProgress?: (done: number, total: number, phase: Phase) => void
  /** Checked between documents and entities: an `AbortSignal`, or an object that another thread updates. */
  signal?: { readonly aborted: boolean }
  /** Receives each entity as soon as it is converted; the result then contains none, which limits memory. */
  take?: (entity: ImportedEntity) => void
  /** Path of the root manifest, if the caller has chosen one. */
  root?: string
  /** Offers a choice of roots even if they are versions of one manifest. */
  asksForRoot?: boolean
  /** The file was uploaded by itself rather than in an archive. */
  isSingle?: boolean
  /** Whose SQL the scripts are; detected if absent. */
  database?: DatabaseType | undefined
}

/** A loaded CDM folder: manifests, declared entities and their resolver. */
export type CdmFolder = {
  manifests: readonly Manifest[]
  /** Entities by corpus path, in the order of the manifests. */
  entities: ReadonlyMap<string, LocatedEntity>
  corpus: Corpus
  lookup: Lookup
  resolver: Resolver
  sidecar: Sidecar
  report: Report
}

/** Loads the manifests, their entities' documents and all transitive imports. Throws ImportError. */
export function loadFolder(files: Files, options: ReadOptions = {}): CdmFolder {
  const report = new Report()
  const corpus = new Corpus(files, report)
  const manifests = readManifests(corpus, report, options)
  let read = 0
  const each = () => {
    checkSignal(options)
    options.onProgress?.(Math.min(++read, files.size), files.size, 'read')
  }
  const entities = new Map<string, LocatedEntity>()
  for (const declared of manifests.flatMap(manifest => manifest.entities)) {
    const document = corpus.load(declared.path, each)
    const definition = document && definitionIn(document, 'entities', declared.name)
    if (definition) entities.set(corpusPathOf(definition), definition)
    else if (document) report.error(declared.path, `The document does not define the entity ${quoted(declared.name)}.`)
  }
  corpus.reportMissing()
  const lookup = new Lookup(corpus)
  const sidecar = new Sidecar(manifests[0]?.path ?? '', entities, corpus, report)
  return { manifests, entities, corpus, lookup, resolver: new Resolver(lookup, report), sidecar, report }
}

export function checkSignal({ signal }: ReadOptions): void {
  if (signal?.aborted) throw new ImportError('cancelled', 'The import was cancelled.')
}
