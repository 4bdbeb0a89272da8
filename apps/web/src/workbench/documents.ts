import { foldName } from '@cadmus/model/paths'

/** Kinds of documents that open as tabs. The tab's id is also its address: '/?entity=12'. */
export type DocumentKind = 'entity' | 'manifest' | 'configuration' | 'logs'
export const documentKinds: readonly DocumentKind[] = ['entity', 'manifest', 'configuration', 'logs']

/** `path`: its location, once known; distinguishes documents of the same name. */
export type DocumentRef = { kind: DocumentKind; id: number; name: string; path?: string }

export type TabId = `${DocumentKind}:${number}`

export type Tab = DocumentRef & {
  tabId: TabId
  /** Opened by a single click; the next single click replaces it. */
  preview: boolean
}

export function tabIdOf(document: Pick<DocumentRef, 'kind' | 'id'>): TabId {
  return `${document.kind}:${document.id}`
}

/** The tabs whose name occurs more than once. */
export function ambiguousTabs(tabs: readonly Tab[]): ReadonlySet<TabId> {
  const byName = Map.groupBy(tabs, tab => foldName(tab.name))
  return new Set([...byName.values()].filter(same => same.length > 1).flatMap(same => same.map(tab => tab.tabId)))
}
