import { isRecord } from '@cadmus/model/equal'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { ownSettings, storeOwnSettings } from '../api/own-settings.ts'
import { currentScope, scopeText, useScope } from '../api/scope.ts'
import { useSession } from '../api/session.ts'
import type { DocumentRef } from './documents.ts'

export const listedKinds = ['entity', 'manifest', 'configuration'] as const
export type ListedKind = (typeof listedKinds)[number]

/** A document in a list of the user. `at`: when it was put there, in milliseconds since 1970. */
export type ListedDocument = DocumentRef & { kind: ListedKind; at: number }

export type OwnList = 'recent' | 'favourites'

const changes = createStore(() => ({ count: 0 }))

/** A list of the signed-in user in a scope, as `scopeText` writes it. Invalid entries are left out. */
export function ownDocuments(list: OwnList, scope: string): readonly ListedDocument[] {
  const stored = ownSettings(list)[scope]
  return Array.isArray(stored) ? stored.flatMap((entry: unknown) => listedDocument(entry) ?? []) : []
}

export function storeOwnDocuments(list: OwnList, scope: string, documents: readonly ListedDocument[]): void {
  storeOwnSettings(list, { [scope]: documents })
  changes.setState(({ count }) => ({ count: count + 1 }))
}

/** Removes documents that no longer exist from a list of the current scope. */
export function forgetDocuments(list: OwnList, gone: readonly ListedDocument[]): void {
  if (gone.length === 0) return
  const scope = scopeText(currentScope())
  const isLeft = (document: ListedDocument) => !gone.some(isListed(document))
  storeOwnDocuments(list, scope, ownDocuments(list, scope).filter(isLeft))
}

export function useOwnDocuments(list: OwnList): readonly ListedDocument[] {
  const scope = scopeText(useScope())
  const user = useSession(session => session.user?.userId)
  const count = useStore(changes, state => state.count)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- The browser's storage has the list.
  return useMemo(() => ownDocuments(list, scope), [list, scope, user, count])
}

export function isListed({ kind, id }: Pick<DocumentRef, 'kind' | 'id'>) {
  return (other: Pick<DocumentRef, 'kind' | 'id'>): boolean => other.kind === kind && other.id === id
}

function listedDocument(entry: unknown): ListedDocument | null {
  if (!isRecord(entry)) return null
  const kind = listedKinds.find(candidate => candidate === entry['kind'])
  const { id, name, path, at } = entry
  if (!kind || typeof id !== 'number' || typeof name !== 'string' || typeof at !== 'number') return null
  return { kind, id, name, at, ...(typeof path === 'string' ? { path } : {}) }
}
