import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import type { OtherEntity } from '@cadmus/model/text/marked-text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { type DiagramAnswer, diagramQuery } from '../api/diagram.ts'
import { messageOf } from '../api/error.ts'
import { scoped } from '../api/query-client.ts'
import { useScope } from '../api/scope.ts'
import { type ScopeMatrixAnswer, scopeMatrixQuery } from '../api/scope-matrix.ts'
import { readEntities } from '../drafts/documents-to-edit.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { closeText, openText, type OpenText, type Titled } from './open-text.ts'

/** Each entity is read with a call of its own, and a user may make 200 at once. */
const maxEntities = 150

/** A document with a text. `locked`: why nothing can be added to it. */
export type Shown =
  | { kind: 'entity'; entity: EntityAnswer; locked: string | null }
  | { kind: 'manifest'; manifest: ManifestAnswer; locked: string | null }

/** `whyNone`: why the document has no text; `failure`: why it could not be read. */
export type ShownText = {
  text: OpenText
  isReady: boolean
  whyNone: string | null
  failure: string | null
  retry: () => void
}

export function titleOf(shown: Shown): Titled {
  const { id, name, currentVersion, latestVersion } = shown.kind === 'entity' ? shown.entity : shown.manifest
  return { kind: shown.kind, id, name, version: currentVersion === latestVersion ? undefined : currentVersion }
}

/** The text of a document, which follows what the server has and the drafts of the page. */
export function useText(shown: Shown): ShownText {
  const titled = titleOf(shown)
  const [text] = useState(() => openText(titled))
  const { loaded, others, whyNone, failure, retry } = useLoaded(shown)
  const project = shown.kind === 'entity' ? null : shown.manifest
  const isOld = titled.version !== undefined
  const isReady = useStore(text.session.store, state => state.isShown)
  const show = useEffectEvent(() => {
    if (!loaded || !others) return
    const { session, source } = text
    const named = project && { name: project.name, description: project.description }
    source.set({ project: named, entities: loaded, others, isOld })
    session.refresh()
  })
  useEffect(() => show(), [loaded, others, project?.name, project?.description])
  useEffect(() => {
    const stop = entityStore.state.subscribe(() => text.session.refresh())
    return () => {
      stop()
      closeText(text)
    }
  }, [text])
  return { text, isReady, whyNone, failure: isReady ? null : failure, retry }
}

/** What the server has of a text. */
function useLoaded(shown: Shown) {
  const scope = useScope()
  const isOld = titleOf(shown).version !== undefined
  const ids = shown.kind === 'entity' ? [shown.entity.id] : shown.manifest.entityPaths.map(({ id }) => id)
  const manifest = shown.kind === 'entity' ? (shown.entity.targetManifest?.id ?? null) : shown.manifest.id
  const isTooLarge = ids.length > maxEntities
  const entities = useQuery({
    ...entitiesQuery(ids, scope),
    enabled: !isOld && !isTooLarge,
    placeholderData: keepPreviousData,
  })
  const withManifest = { enabled: manifest !== null && !isTooLarge }
  const names = useQuery({ ...scopeMatrixQuery(manifest ?? 0), ...withManifest })
  const cards = useQuery({ ...diagramQuery(manifest ?? 0), ...withManifest })
  const others = useMemo(
    () => (manifest === null ? none : names.data && cards.data && othersOf(names.data, cards.data)),
    [manifest, names.data, cards.data],
  )
  const old = isOld && shown.kind === 'entity' ? shown.entity : null
  const loaded = useMemo(() => (old ? [{ entity: old, etag: '' }] : entities.data), [old, entities.data])
  const error = entities.error ?? names.error ?? cards.error
  const whyNone = isTooLarge ? paneTexts.tooLarge(ids.length, maxEntities) : isOld && !old ? paneTexts.oldVersion : null
  const failure = error && messageOf(error, paneTexts.notRead)
  const retry = () => void Promise.all([entities, names, cards].map(query => query.error && query.refetch()))
  return { loaded, others, whyNone, failure, retry }
}

const none: readonly OtherEntity[] = []

/** Read again with each change of an entity. */
function entitiesQuery(ids: readonly number[], scope: ReturnType<typeof useScope>) {
  return scoped(['entities', 'text', ids.join(',')], options => readEntities(ids, options.scope), scope)
}

/** All entities of a manifest that a text may refer to. */
function othersOf({ entities }: ScopeMatrixAnswer, cards: DiagramAnswer): OtherEntity[] {
  const uids = new Map(cards.entities.ids.map((id, card) => [id, cards.entities.uids[card]]))
  return entities.ids.map((id, index) => ({
    id,
    uid: uids.get(id) ?? '',
    name: entities.names[index] ?? '',
    path: entities.paths[index] ?? '',
    primaryKey: entities.keys[index] ?? null,
  }))
}
