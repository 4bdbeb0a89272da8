import { currentScope, scopeText } from '../api/scope.ts'
import type { DocumentRef } from './documents.ts'
import {
  isListed,
  ownDocuments,
  storeOwnDocuments,
  useOwnDocuments,
  type ListedDocument,
  type ListedKind,
} from './own-documents.ts'

export const maxFavourites = 100

/** The favourites of the user in the current scope, in the order in which they were added. */
export function useFavourites(): readonly ListedDocument[] {
  return useOwnDocuments('favourites')
}

export function isFavourite(document: Pick<DocumentRef, 'kind' | 'id'>): boolean {
  return favourites().some(isListed(document))
}

/** Adds the document, or removes it if it is a favourite. Returns false if there are `maxFavourites` already. */
export function toggleFavourite({ kind, id, name, path }: DocumentRef & { kind: ListedKind }): boolean {
  const others = favourites().filter(other => !isListed({ kind, id })(other))
  const isAdded = others.length === favourites().length
  if (isAdded && others.length >= maxFavourites) return false
  const added = isAdded ? [{ kind, id, name, at: Date.now(), ...(path === undefined ? {} : { path }) }] : []
  storeOwnDocuments('favourites', scopeText(currentScope()), [...others, ...added])
  return true
}

function favourites(): readonly ListedDocument[] {
  return ownDocuments('favourites', scopeText(currentScope()))
}
