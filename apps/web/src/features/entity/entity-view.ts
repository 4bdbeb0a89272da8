import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { mayEditAttributes, mayManageVersions, maySaveEntity, type Verdict } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { useEffect, useMemo } from 'react'
import { useEntity } from '../../api/entities.ts'
import { isGone } from '../../api/error.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { useOpenDraft } from '../../drafts/open-drafts.ts'
import { draftKey, type DraftKey } from '../../drafts/draft-key.ts'
import { onlyScopesChanged, type EntityDraft } from '../../drafts/entity-draft.ts'
import './entity-saves.ts'
import { entityStore, type OpenEntity } from '../../drafts/entity-store.ts'

/** View model of the document and the properties panel: the draft of the latest version, or an old version. */
export type EntityView = {
  key: DraftKey
  entity: EntityAnswer
  draft: EntityDraft
  open: OpenEntity
  /** null if editable, else the reason. */
  locked: string | null
  versionsLocked: string | null
  /** null if the changes can be saved, else the reason. Scopes can be saved even if the entity is locked. */
  saveLocked: string | null
}

export type LoadingView = { view: EntityView | null; error: Error | null; retry: () => void }

/** The old version shown; undefined for the latest. */
export function useViewedVersion(id: number): string | undefined {
  return useWorkbench(state => state.shown.get(tabIdOf({ kind: 'entity', id }))?.version)
}

export function viewVersion(id: number, version: string | undefined): void {
  workbench.getState().show(tabIdOf({ kind: 'entity', id }), { version })
}

export function useEntityView(id: number): LoadingView {
  const version = useViewedVersion(id)
  const { data, error, refetch } = useEntity(id, version)
  const key = draftKey(id, version)
  const open = useOpenDraft(entityStore, key)

  useEffect(() => {
    // The query still holds the data read before the deletion.
    if (data && !isGone(error)) entityStore.receive(data.entity, data.etag, version)
  }, [data, error, version])
  useEffect(() => {
    if (isGone(error)) entityStore.dispatch(key, { kind: 'deleted' })
  }, [error, key])

  // Stable identity while unchanged, for memoised consumers. A deleted entity is shown only while it has unsaved
  // changes.
  const shown = open?.state === 'deleted' && open.draft.changes === 0 ? undefined : open
  const view = useMemo(() => shown && viewOf(key, shown), [key, shown])
  const retry = () => void refetch()
  return view ? { view, error: null, retry } : { view: null, error, retry }
}

function viewOf(key: DraftKey, open: OpenEntity): EntityView {
  const { draft } = open
  const entity = draft.saved
  return {
    key,
    entity,
    draft,
    open,
    ...(open.state === 'deleted' ? deletedLocks : locksOf(draft)),
  }
}

function locksOf(draft: EntityDraft) {
  const { saved } = draft
  return {
    locked: reason(mayEditAttributes(saved)),
    versionsLocked: reason(mayManageVersions(saved)),
    saveLocked: reason(maySaveEntity(saved, { onlyScopes: onlyScopesChanged(draft) })),
  }
}

/** Save is still available: it saves as new. */
const deletedLocks = { locked: messages.deleted.locked, versionsLocked: messages.deleted.locked, saveLocked: null }

function reason(verdict: Verdict): string | null {
  return verdict.allowed ? null : verdict.reason
}
