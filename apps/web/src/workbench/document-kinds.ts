import type { LucideIcon } from 'lucide-react'
import { createElement, type ComponentType } from 'react'
import { onDemand, type OnDemand } from '../ui/on-demand.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { DocumentKind } from './documents.ts'

export type DocumentProps = { id: number }
type Load = () => Promise<ComponentType<DocumentProps>>

/** A kind of document: all that the page must know to open, show and restore one. */
export type DocumentKindDefinition = {
  kind: DocumentKind
  icon: LucideIcon
  /** Its code, fetched when first shown: the content area, and the properties of it and of what is chosen in it. */
  content: Load
  properties: Load
  /** What a document is called until its name is known. */
  unnamed: (id: number) => string
  /**
   * Brings an unsaved draft of an earlier visit back, while it is wanted; `key` is what the kind kept it under. Absent: it keeps none.
   */
  restore?: (key: string, draft: unknown, isWanted: () => boolean) => Promise<Restored>
}

/**
 * What became of a draft that was kept: one that is shown need not be kept as it was any longer; another one stays for the next visit.
 * `contested`: one that is shown changed the same, and comes before it.
 */
export type Restored = 'shown' | 'later' | 'contested' | { unreadable: string }

export type DocumentView = DocumentKindDefinition & {
  Content: ComponentType<DocumentProps>
  Properties: ComponentType<DocumentProps>
}
type Known = DocumentView & { code: readonly OnDemand<DocumentProps>[] }

const kinds = new Map<DocumentKind, Known>()

/** Makes a kind of document known, once, at the start of the page. */
export function registerDocumentKind(definition: DocumentKindDefinition): void {
  const [content, properties] = [
    onDemand(definition.content, createElement(Skeleton, { lines: 12 })),
    onDemand(definition.properties, createElement(Skeleton, { lines: 8 })),
  ]
  const { Component: Content } = content
  const { Component: Properties } = properties
  kinds.set(definition.kind, { ...definition, Content, Properties, code: [content, properties] })
}

export function documentKind(kind: DocumentKind): DocumentView | undefined {
  return kinds.get(kind)
}

/** Brings back what was kept under 'entity:12'. */
export async function restoreDocument(document: string, draft: unknown, isWanted: () => boolean): Promise<Restored> {
  const [name = '', ...key] = document.split(':')
  const kind = [...kinds.values()].find(known => known.kind === name)
  return (await kind?.restore?.(key.join(':'), draft, isWanted)) ?? 'shown'
}

export async function prefetchDocuments(): Promise<void> {
  await Promise.allSettled([...kinds.values()].flatMap(({ code }) => code.map(({ prefetch }) => prefetch())))
}
