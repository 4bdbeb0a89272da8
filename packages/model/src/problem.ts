import type { DatabaseType } from './database-types.ts'
import type { EntityNode } from './entity.ts'
import type { ManifestNode } from './manifest.ts'
import type { ResolvedModel } from './resolved-model.ts'

/** A finding of a rule or validation. `path` leads to its subject, outermost first. */
export type Problem = {
  /** 'note': the model is valid, but a database stores or compares values differently. */
  severity: 'error' | 'warning' | 'note'
  code: string
  message: string
  path: readonly ProblemStep[]
  /** The field of the last step, for findings about a field. */
  field?: string
  /** The scope, entity, aggregate query or operation in a configuration that it is about; of a query also the column. */
  value?: string
  /** The databases it applies to, unless it applies to all. */
  databases?: readonly DatabaseType[]
}

export type ProblemStep =
  | { kind: 'manifest'; id: number; uid?: string; name: string }
  /** The path distinguishes entities of the same name. */
  | { kind: 'entity'; id: number; uid?: string; name: string; path?: string }
  | { kind: 'typeAttribute'; uid: string; name: string }
  | { kind: 'entityAttribute'; uid: string; name: string }

type Entity<S> = Extract<S, { kind: 'entity' }>
type Row<S> = Extract<S, { kind: 'typeAttribute' } | { kind: 'entityAttribute' }>

/** The entity that a problem is in; undefined for one of a manifest. */
export function entityIn<S extends { kind: string }>(path: readonly S[]): Entity<S> | undefined {
  return path.findLast((step): step is Entity<S> => step.kind === 'entity')
}

/** The attribute or relationship that a problem is about. */
export function rowIn<S extends { kind: string }>(path: readonly S[]): Row<S> | undefined {
  const last = path.at(-1)
  return last && isRow(last) ? last : undefined
}

function isRow<S extends { kind: string }>(step: S): step is Row<S> {
  return step.kind === 'typeAttribute' || step.kind === 'entityAttribute'
}

/** Limit of steps in a path: sub-manifests may be nested by the thousand. */
const longestWay = 100

/**
 * Path from the root manifest to each manifest of the resolved model, the shortest one. For a deeply nested manifest it has the root and the
 * nearest manifests only.
 */
export function manifestPlaces({ root, manifests }: ResolvedModel): ReadonlyMap<number, readonly ProblemStep[]> {
  const byId = new Map(manifests.map(manifest => [manifest.id, manifest]))
  const places = new Map<number, readonly ProblemStep[]>()
  const open: [ManifestNode, readonly ProblemStep[]][] = [[root, []]]
  // The list grows while it is iterated.
  for (const [manifest, above] of open) {
    if (places.has(manifest.id)) continue
    const shown = above.length < longestWay ? above : [...above.slice(0, 1), ...above.slice(2)]
    const place: readonly ProblemStep[] = [...shown, manifestStep(manifest)]
    places.set(manifest.id, place)
    for (const id of manifest.subManifests) {
      const child = byId.get(id)
      if (child) open.push([child, place])
    }
  }
  return places
}

export function manifestStep({ id, uid, name }: ManifestNode): ProblemStep {
  return { kind: 'manifest', id, uid, name }
}

export function entityStep({ id, uid, name, path }: EntityNode): ProblemStep {
  return { kind: 'entity', id, uid, name, path }
}
