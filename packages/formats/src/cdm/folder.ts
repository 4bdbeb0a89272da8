import { ImportError, quoted } from '../import-error.ts'
import type { Files } from '../archive.ts'
import type { ImportedEntity } from '../imported-model.ts'
import { Corpus } from './corpus.ts'
import { Beside } from './read-beside.ts'
import { Lookup } from './lookup.ts'
import { readManifests, type Manifest } from './manifest.ts'
import { Report } from './report.ts'
import { Resolver } from './resolve.ts'
import { corpusPathOf, definitionIn, type FoundEntity } from './scope.ts'

export type Phase = 'read' | 'resolve' | 'convert'

export type ReadOptions = {
  /** Called now and then with how many of how many steps of a phase are done. */
  onProgress?: (done: number, total: number, phase: Phase) => void
  /** Looked at between documents and entities: an `AbortSignal`, or anything that another thread can set. */
  signal?: { readonly aborted: boolean }
  /** Takes each entity as soon as it is made: then the result holds none, and nobody has all of them in memory. */
  take?: (entity: ImportedEntity) => void
  /** The root manifest, where the caller knows it. */
  root?: string
  /** The caller chooses among several roots, also where they are versions of one manifest. */
  asksForRoot?: boolean
}

/** A CDM folder that is loaded: its manifests, the entities they declare, and what resolves them. */
export type CdmFolder = {
  manifests: readonly Manifest[]
  /** By corpus path, in the order of the manifests. */
  entities: ReadonlyMap<string, FoundEntity>
  corpus: Corpus
  lookup: Lookup
  resolver: Resolver
  /** What an export kept beside the documents. */
  beside: Beside
  report: Report
}

/** Loads the manifests, the documents of their entities, and all that these import. Throws ImportError. */
export function loadFolder(files: Files, options: ReadOptions = {}): CdmFolder {
  const report = new Report()
  const corpus = new Corpus(files, report)
  const manifests = readManifests(corpus, report, options)
  let read = 0
  const each = () => {
    checkSignal(options)
    options.onProgress?.(Math.min(++read, files.size), files.size, 'read')
  }
  const entities = new Map<string, FoundEntity>()
  for (const declared of manifests.flatMap(manifest => manifest.entities)) {
    const document = corpus.load(declared.path, each)
    const found = document && definitionIn(document, 'entities', declared.name)
    if (found) entities.set(corpusPathOf(found), found)
    else if (document) report.error(declared.path, `The document does not define the entity ${quoted(declared.name)}.`)
  }
  corpus.reportMissing()
  const lookup = new Lookup(corpus)
  const beside = new Beside(manifests[0]?.path ?? '', entities, corpus, report)
  return { manifests, entities, corpus, lookup, resolver: new Resolver(lookup, report), beside, report }
}

export function checkSignal({ signal }: ReadOptions): void {
  if (signal?.aborted) throw new ImportError('cancelled', 'The import was cancelled.')
}
