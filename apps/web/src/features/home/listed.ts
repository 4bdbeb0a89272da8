import { isDefaultPath } from '@cadmus/model/paths'
import type { Located } from '../../api/documents.ts'
import type { ListedDocument } from '../../workbench/own-documents.ts'

/**
 * The documents that exist, with their present names and paths. `located` undefined: as they were when they were
 * listed.
 */
export function existing(
  documents: readonly ListedDocument[],
  located: readonly Located[] | undefined,
): readonly ListedDocument[] {
  if (located === undefined) return documents
  const places = new Map(located.map(place => [`${place.kind}:${place.id}`, place]))
  return documents.flatMap(document => {
    // A configuration is that of the manifest with its id.
    const place = places.get(`${document.kind === 'entity' ? 'entity' : 'manifest'}:${document.id}`)
    return place ? [{ ...document, name: place.name, path: place.path }] : []
  })
}

export type OwnManifest = { id: number; name: string; path: string }

/** The manifests of the organisation among the lists, each once, at most `limit`. */
export function ownManifests(lists: readonly (readonly ListedDocument[])[], limit: number): OwnManifest[] {
  const byId = new Map<number, OwnManifest>()
  for (const { kind, id, name, path } of lists.flat()) {
    if (kind === 'entity' || path === undefined || isDefaultPath(path) || byId.has(id)) continue
    byId.set(id, { id, name, path })
  }
  return [...byId.values()].slice(0, limit)
}

export type ProblemCounts = { errors: number; warnings: number }

/** Order of manifests: most errors, then most warnings. Those without counts are last. */
export function worstFirst(one: ProblemCounts | undefined, other: ProblemCounts | undefined): number {
  const of = (counts: ProblemCounts | undefined) => [counts?.errors ?? -1, counts?.warnings ?? -1] as const
  const [[errors, warnings], [otherErrors, otherWarnings]] = [of(one), of(other)]
  return otherErrors - errors || otherWarnings - warnings
}
