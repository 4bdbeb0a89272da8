import type { DocumentRef, Tab } from '../workbench/documents.ts'
import type { PackageBuild, PackageItem } from '../api/packages.ts'
import type { SidebarView } from '../workbench/workbench.ts'

export type Named = { id: number; name: string }

/** What a command is about: a node of the tree, a tab's document, or nothing in particular. */
export type Target =
  | { kind: 'none' }
  | { kind: 'workspace'; workspace: 'standard' | 'custom' }
  /** In the administration. */
  | { kind: 'organisation'; code: string; name: string }
  /** `manifest`: whose group it is; null: the workspace's own. */
  | { kind: 'group'; group: 'entities' | 'manifests'; workspace: 'standard' | 'custom'; manifest: Named | null }
  | { kind: 'folder'; path: string }
  /** `manifest`: below which manifest's node it stands; null elsewhere. */
  | { kind: 'entity'; id: number; name: string; path: string; isDefault: boolean; type: string; manifest: Named | null }
  /** `parent`: below which manifest it stands as a sub-manifest; null elsewhere. */
  | { kind: 'manifest'; id: number; name: string; path: string; isDefault: boolean; parent: Named | null }
  /** One of its versions, built or not. */
  | { kind: 'package'; package: PackageItem; build: PackageBuild }

export type AppContext = {
  target: Target
  /** 'admin': an administrator works in an organisation, whichever that is. */
  view: SidebarView | 'admin'
  isAdmin: boolean
  /** Whether the organisation has a manifest of its own; undefined while unknown. */
  hasManifests: boolean | undefined
  /** The shown tab. */
  active: Tab | null
}

/** The manifest that a node is or belongs to as a group: where Add Entity adds. */
export function manifestOf(target: Target): Named | null {
  if (target.kind === 'manifest') return { id: target.id, name: target.name }
  return target.kind === 'group' ? target.manifest : null
}

/** The document that a node opens; null for what only unfolds. */
export function documentOf(target: Target): DocumentRef | null {
  if (target.kind !== 'entity' && target.kind !== 'manifest') return null
  return { kind: target.kind, id: target.id, name: target.name, path: target.path }
}
