import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { mayEditAttributes, mayManageVersions, type Verdict } from '@cadmus/model/locks'
import { useEffect } from 'react'
import { useEntity } from '../../api/entities.ts'
import { openDraft, type EntityDraft } from './entity-draft.ts'
import { receive, useOpenEntity, useViewedVersion, type OpenEntity } from './entity-store.ts'

/** What the document and the properties panel show of an entity: the draft of its latest version, or an old version as it was. */
export type EntityView = {
  entity: EntityAnswer
  draft: EntityDraft
  open: OpenEntity
  /** null: may be edited; else why not. */
  locked: string | null
  versionsLocked: string | null
}

export type LoadingView = { view: EntityView | null; error: Error | null; retry: () => void; stale: boolean }

export function useEntityView(id: number): LoadingView {
  const version = useViewedVersion(id)
  const latest = useEntity(id)
  const old = useEntity(id, version)
  const open = useOpenEntity(id)
  const shown = version === undefined ? latest : old

  useEffect(() => {
    if (latest.data) receive(latest.data)
  }, [latest.data])

  const retry = () => void shown.refetch()
  if (!open || !shown.data) return { view: null, error: shown.error, retry, stale: false }
  const draft = version === undefined ? open.draft : openDraft(shown.data.entity, shown.data.etag)
  const state = version === undefined ? open.draft.saved : shown.data.entity
  return {
    view: {
      entity: state,
      draft,
      open,
      locked: reason(mayEditAttributes(state)),
      versionsLocked: reason(mayManageVersions(state)),
    },
    error: null,
    retry,
    stale: shown.isRefetching && shown.isPlaceholderData,
  }
}

function reason(verdict: Verdict): string | null {
  return verdict.allowed ? null : verdict.reason
}
