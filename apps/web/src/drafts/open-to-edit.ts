import { isAdministration } from '../api/scope.ts'
import { documentKind } from '../workbench/document-kinds.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { type DraftKey, draftKey } from './draft-key.ts'
import type { Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'

/** A document to edit: the latest version as the server answered it. */
export type Editable<S extends Saved, C, E> = { store: OpenDrafts<S, C, E>; saved: S; etag: string }

/** Loads the code that saves drafts of a kind and marks their tabs; to be awaited before the first edit. */
export async function readyToEdit({ kind }: { kind: Parameters<typeof documentKind>[0] }): Promise<void> {
  await documentKind(kind)?.content()
}

/** Opens a document, in a tab or without one, and returns the key of its draft. */
export function openToEdit<S extends Saved, C, E>(
  { store, saved, etag }: Editable<S, C, E>,
  { hidden = false }: { hidden?: boolean } = {},
): DraftKey {
  const { id, path } = saved
  const { openHidden, openInBackground } = workbench.getState()
  const document = { kind: store.kind, id, name: store.title(saved), path }
  // The administration shows one document at a time, which stays the present one.
  if (hidden || isAdministration()) openHidden(document)
  else openInBackground(document)
  const key = draftKey(id, undefined)
  if (!store.get(key)) store.receive(saved, etag, undefined)
  return key
}
