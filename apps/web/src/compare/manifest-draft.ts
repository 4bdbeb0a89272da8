import type { Side } from '@cadmus/model/contract/comparison'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { manifestPathsQuery } from '../api/configurations.ts'
import { scopeText, useScope } from '../api/scope.ts'
import { draftKey, placeOf } from '../drafts/draft-key.ts'
import type { EntityDraft } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { useOpenDraft } from '../drafts/open-drafts.ts'
import { configurationStore } from '../drafts/configuration-store.ts'

export type DraftSide = Extract<Side, { kind: 'draft' }>
/** `count`: documents of the manifest with unsaved changes. */
export type ManifestDraft = { side: DraftSide; count: number }

/** The unsaved changes of a manifest's entities and configuration; null: there are none, undefined: not known yet. */
export function useManifestDraft(id: number): ManifestDraft | null | undefined {
  const unsaved = useUnsavedDrafts()
  const configuration = useOpenDraft(configurationStore, draftKey(id, undefined))
  const { data: paths, isPending } = useQuery(manifestPathsQuery(id))
  const draft = configuration && configuration.draft.changes > 0 ? configuration.draft : null
  return useMemo(() => {
    if (unsaved.size > 0 && isPending) return undefined
    const members = new Set(paths?.entities.map(entity => entity.id))
    const entities = [...unsaved].flatMap(([entityId, { base, content }]) =>
      members.has(entityId) ? [{ id: entityId, edits: entityEditsBetween(base, content) }] : [],
    )
    const count = entities.length + (draft ? 1 : 0)
    if (count === 0) return null
    const edits = draft ? configurationEditsBetween(draft.base, draft.content) : []
    return { side: { kind: 'draft', entities, configuration: edits }, count }
  }, [unsaved, isPending, paths, draft])
}

/** Drafts of latest versions with unsaved changes, by entity, in the current scope. */
function useUnsavedDrafts(): ReadonlyMap<number, EntityDraft> {
  const within = scopeText(useScope())
  return useStore(
    entityStore.state,
    useShallow(({ open }) => {
      const drafts = [...open].flatMap(([key, { state, draft }]) => {
        const { id, version, scope } = placeOf(key)
        const isCurrent = version === undefined && state !== 'deleted' && scopeText(scope) === within
        return isCurrent && draft.changes > 0 ? [[id, draft] as const] : []
      })
      return new Map(drafts)
    }),
  )
}
