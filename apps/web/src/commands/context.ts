import type { DocumentRef, Tab } from '../workbench/documents.ts'
import type { Publication } from '../api/publications.ts'
import type { PackageBuild, PackageItem } from '../api/packages.ts'

export type Named = { id: number; name: string }

export type EntityTarget = {
  kind: 'entity'
  id: number
  name: string
  path: string
  isDefault: boolean
  type: string
  /** The manifest node above it; null elsewhere. */
  manifest: Named | null
}

/** Subject of a command: a tree node, a tab's document, or none. */
export type Target =
  | { kind: 'none' }
  | { kind: 'workspace'; workspace: 'standard' | 'custom' }
  | { kind: 'organisation'; code: string; name: string }
  /** `manifest`: the group's manifest; null: the workspace's own group. */
  | { kind: 'group'; group: 'entities' | 'manifests'; workspace: 'standard' | 'custom'; manifest: Named | null }
  | { kind: 'folder'; path: string }
  | EntityTarget
  /** Several that are chosen. */
  | { kind: 'entities'; entities: readonly EntityTarget[] }
  /** `parent`: the manifest that contains it as a sub-manifest; null elsewhere. */
  | { kind: 'manifest'; id: number; name: string; path: string; isDefault: boolean; parent: Named | null }
  /** A version of a package, built or not. */
  | { kind: 'package'; package: PackageItem; build: PackageBuild }

export type AppContext = {
  target: Target
  isAdmin: boolean
  /** Whether the organisation has its own manifests; undefined while unknown. */
  hasManifests: boolean | undefined
  active: Tab | null
  /** Publications of the organisation, newest first; undefined while unknown. */
  published?: readonly Publication[] | undefined
  /** A model that was pasted where no document is: the text of a new manifest. */
  pasted?: string
}

/** The manifest of a node or of the group that it is in; Add Entity adds there. */
export function manifestOf(target: Target): Named | null {
  if (target.kind === 'manifest') return { id: target.id, name: target.name }
  return target.kind === 'group' ? target.manifest : null
}

/** The predefined workspace, or a group or folder of it. */
export function isPredefined(target: Target): boolean {
  if (target.kind === 'workspace' || target.kind === 'group') return target.workspace === 'standard'
  return target.kind === 'folder'
}

/** The document that a node opens; null for a node that only unfolds. */
export function documentOf(target: Target): DocumentRef | null {
  if (target.kind !== 'entity' && target.kind !== 'manifest') return null
  return { kind: target.kind, id: target.id, name: target.name, path: target.path }
}
