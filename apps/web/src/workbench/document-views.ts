import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import { onDemand } from '../ui/on-demand.ts'
import type { DocumentKind } from './documents.ts'

export type DocumentProps = { id: number }
type Load = () => Promise<ComponentType<DocumentProps>>

/** How a kind of document is shown: in the content area and in the properties panel. */
export type DocumentView = {
  icon: LucideIcon
  Content: ComponentType<DocumentProps>
  /** Shows the document's properties and those of what is chosen in it. */
  Properties: ComponentType<DocumentProps>
  prefetch: () => Promise<unknown>
}

const views = new Map<DocumentKind, DocumentView>()

/** Makes a kind of document known, once, at the start of the page; its code is fetched when first shown. */
export function registerDocument(kind: DocumentKind, icon: LucideIcon, content: Load, properties: Load): void {
  const [shown, described] = [onDemand(content), onDemand(properties)]
  views.set(kind, {
    icon,
    Content: shown.Component,
    Properties: described.Component,
    prefetch: () => Promise.all([shown.prefetch(), described.prefetch()]),
  })
}

export function documentView(kind: DocumentKind): DocumentView | undefined {
  return views.get(kind)
}

export async function prefetchDocuments(): Promise<void> {
  await Promise.all([...views.values()].map(view => view.prefetch().catch(() => null)))
}
