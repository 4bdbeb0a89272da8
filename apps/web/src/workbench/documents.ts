/** What can be open as a tab. Its id is also its address: '/?entity=12'. */
export type DocumentKind = 'entity' | 'manifest'
export const documentKinds: readonly DocumentKind[] = ['entity', 'manifest']

export type DocumentRef = { kind: DocumentKind; id: number; name: string }

export type TabId = `${DocumentKind}:${number}`

export type Tab = DocumentRef & {
  tabId: TabId
  /** Opened by a single click: the next single click takes its place. */
  preview: boolean
}

export function tabIdOf(document: Pick<DocumentRef, 'kind' | 'id'>): TabId {
  return `${document.kind}:${document.id}`
}
