import { foldName } from '@cadmus/model/paths'
import { currentScope, scopeText } from '../api/scope.ts'

/** Kinds of documents that an address names: '/?entity=12'. */
export const addressedKinds = ['entity', 'manifest', 'configuration', 'logs'] as const
export type AddressedKind = (typeof addressedKinds)[number]

/** Kinds of documents that open as tabs. 'organisation': the organisation that an administrator works in. */
export type DocumentKind = AddressedKind | 'organisation'

/** `path`: its location, once known; distinguishes documents of the same name. */
export type DocumentRef = { kind: DocumentKind; id: number; name: string; path?: string }

/** A document in its scope. */
export type TabId = `${DocumentKind}:${number}` | `${string}/${DocumentKind}:${number}`

export type Tab = DocumentRef & {
  tabId: TabId
  /** Opened by a single click; the next single click replaces it. */
  preview: boolean
  /** It holds unsaved changes made from elsewhere and is not in the strip until it is opened. */
  hidden?: boolean
}

export function tabIdOf({ kind, id }: Pick<DocumentRef, 'kind' | 'id'>, scope = currentScope()): TabId {
  const within = scopeText(scope)
  return within === '' ? `${kind}:${id}` : `${within}/${kind}:${id}`
}

/** The text of the scope of a tab. */
export function scopeOfTab(tabId: TabId): string {
  return tabId.slice(0, Math.max(0, tabId.lastIndexOf('/')))
}

/** The tabs whose name occurs more than once. */
export function ambiguousTabs(tabs: readonly Tab[]): ReadonlySet<TabId> {
  const byName = Map.groupBy(tabs, tab => foldName(tab.name))
  return new Set([...byName.values()].filter(same => same.length > 1).flatMap(same => same.map(tab => tab.tabId)))
}
