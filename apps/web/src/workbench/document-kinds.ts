import type { LucideIcon } from 'lucide-react'
import { createElement, type ComponentType } from 'react'
import { onDemand, type OnDemand } from '../ui/on-demand.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { DocumentKind } from './documents.ts'

export type DocumentProps = { id: number }
type Load = () => Promise<ComponentType<DocumentProps>>

/** Everything the page needs to open, show and restore a kind of document. */
export type DocumentKindDefinition = {
  kind: DocumentKind
  icon: LucideIcon
  /** Code fetched on first use: the content area, and the properties of the document and its selection. */
  content: Load
  properties: Load
  /** Title until the name is known. */
  unnamed: (id: number) => string
  /**
   * Restores an unsaved draft while `isWanted` returns true; `key` is its storage key. Undefined: the kind has no
   * drafts.
   */
  restore?: (key: string, draft: unknown, isRequested: () => boolean) => Promise<Restored>
}

/**
 * 'shown': the stored draft is no longer needed. 'later': it is kept for the next visit. 'conflicted': it conflicts with
 * the draft shown, which comes first.
 */
export type Restored = 'shown' | 'later' | 'conflicted' | { unreadable: string }

export type DocumentView = DocumentKindDefinition & {
  Content: ComponentType<DocumentProps>
  Properties: ComponentType<DocumentProps>
}
type Known = DocumentView & { code: readonly OnDemand<DocumentProps>[] }

const kinds = new Map<DocumentKind, Known>()

/** Registers a kind of document at the start of the page. */
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

/** Whether drafts of a document such as 'entity:12' are restored with it; others are by what they belong to. */
export function hasRestore(document: string): boolean {
  return kindOf(document)?.restore !== undefined
}

/** Restores the stored draft of a document such as 'entity:12'. */
export async function restoreDocument(document: string, draft: unknown, isRequested: () => boolean): Promise<Restored> {
  const key = document.split(':').slice(1).join(':')
  return (await kindOf(document)?.restore?.(key, draft, isRequested)) ?? 'shown'
}

function kindOf(document: string): Known | undefined {
  const [name] = document.split(':')
  return [...kinds.values()].find(({ kind }) => kind === name)
}

export async function prefetchDocuments(): Promise<void> {
  await Promise.allSettled([...kinds.values()].flatMap(({ code }) => code.map(({ prefetch }) => prefetch())))
}
