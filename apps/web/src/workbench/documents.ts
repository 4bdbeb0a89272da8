import { foldName } from '@cadmus/model/paths'

/** What can be open as a tab. Its id is also its address: '/?entity=12'. */
export type DocumentKind = 'entity' | 'manifest' | 'configuration' | 'logs'
export const documentKinds: readonly DocumentKind[] = ['entity', 'manifest', 'configuration', 'logs']

/** `path`: where it lives, once somebody said so; it tells namesakes apart. */
export type DocumentRef = { kind: DocumentKind; id: number; name: string; path?: string }

export type TabId = `${DocumentKind}:${number}`

export type Tab = DocumentRef & {
  tabId: TabId
  /** Opened by a single click: the next single click takes its place. */
  preview: boolean
}

export function tabIdOf(document: Pick<DocumentRef, 'kind' | 'id'>): TabId {
  return `${document.kind}:${document.id}`
}

/** Those of the tabs that another one has the name of. */
export function namesakes(tabs: readonly Tab[]): ReadonlySet<TabId> {
  const byName = Map.groupBy(tabs, tab => foldName(tab.name))
  return new Set([...byName.values()].filter(same => same.length > 1).flatMap(same => same.map(tab => tab.tabId)))
}
