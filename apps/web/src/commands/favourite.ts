import { firstTexts } from '@cadmus/model/messages/first-load'
import { notify } from '../ui/notices.ts'
import type { DocumentRef } from '../workbench/documents.ts'
import { isFavourite, maxFavourites, toggleFavourite } from '../workbench/favourites.ts'

export function favouriteLabel(document: DocumentRef | null): string {
  return document && isFavourite(document) ? 'Remove from Favourites' : 'Add to Favourites'
}

/** Adds or removes an entity or manifest. */
export function pressFavourite(document: DocumentRef | null): void {
  if (document?.kind !== 'entity' && document?.kind !== 'manifest') return
  const { kind, id, name, path } = document
  const isDone = toggleFavourite({ kind, id, name, ...(path === undefined ? {} : { path }) })
  if (!isDone) notify('error', firstTexts.favouritesFull(maxFavourites))
}
