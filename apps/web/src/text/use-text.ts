import { columnsOf } from '@cadmus/model/columns'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { EntityStateAnswer } from '@cadmus/model/contract/contents'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { mapInSteps } from '@cadmus/model/steps'
import type { OtherEntity } from '@cadmus/model/text/marked-text'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { messageOf } from '../api/error.ts'
import { entityQuery } from '../api/entities.ts'
import { useManifest } from '../api/manifests.ts'
import { keyIn, keys, queryClient, scoped } from '../api/query-client.ts'
import { useScope } from '../api/scope.ts'
import { type ScopeMatrixAnswer, scopeMatrixQuery } from '../api/scope-matrix.ts'
import type { CallOptions } from '../api/send.ts'
import { readContents } from '../api/contents.ts'
import { readyToEdit } from '../drafts/open-to-edit.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { entityOfAnswer, type StoredEntity, storedEntity } from './stored-entity.ts'
import { inSlices } from './sliced-work.ts'
import { whyTooLarge } from './too-large.ts'
import { closeText, keepText, openText, type OpenText, type Titled } from './open-text.ts'

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
  const { loaded, others, enumerations, whyNone, failure, retry } = useLoaded(shown)
  const project = shown.kind === 'entity' ? null : shown.manifest
  const isOld = titled.version !== undefined
  const isReady = useStore(text.session.store, state => state.isShown)
  const show = useEffectEvent(() => {
    if (!loaded || !others || !enumerations) return
    const { session, source } = text
    const named = project && { name: project.name, description: project.description }
    source.set({ project: named, enumerations, entities: loaded, others, isOld })
    session.refresh()
  })
  useEffect(() => show(), [loaded, others, enumerations, project?.name, project?.description])
  useEffect(() => {
    keepText(text)
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
  const isTooLarge = shown.kind === 'manifest' && whyTooLarge(ids.length, 0) !== null
  const entities = useQuery({
    ...(shown.kind === 'entity'
      ? entityTextQuery(shown.entity.id, scope)
      : manifestTextQuery(shown.manifest.id, scope)),
    enabled: !isOld && !isTooLarge,
  })
  // After the contents, from the same thread of the server: another one would have to read the whole model, too.
  const isDue = shown.kind === 'entity' || entities.isFetched
  const names = useQuery({ ...scopeMatrixQuery(manifest ?? 0), enabled: manifest !== null && !isTooLarge && isDue })
  const others = useMemo(() => (manifest === null ? none : names.data && othersOf(names.data)), [manifest, names.data])
  const owner = useManifest(manifest ?? 0, undefined, shown.kind === 'entity' && manifest !== null)
  const ofOwner = manifest === null || owner.isFetched ? (owner.data?.manifest.enumerations ?? none) : undefined
  const enumerations = shown.kind === 'manifest' ? shown.manifest.enumerations : ofOwner
  const old = isOld && shown.kind === 'entity' ? shown.entity : null
  const loaded = useMemo(() => (old ? [storedEntity({ entity: old, etag: '' })] : entities.data), [old, entities.data])
  const error = entities.error ?? names.error
  const lines = useMemo(() => loaded?.reduce((sum, { content }) => sum + columnsOf(content).length, 0) ?? 0, [loaded])
  const whyNone = isOld && !old ? paneTexts.oldVersion : shown.kind === 'entity' ? null : whyTooLarge(ids.length, lines)
  const failure = error && messageOf(error, paneTexts.notRead)
  const retry = () => void Promise.all([entities, names].map(query => query.error && query.refetch()))
  return { loaded: whyNone === null ? loaded : undefined, others, enumerations, whyNone, failure, retry }
}

const none: readonly never[] = []

type Scope = ReturnType<typeof useScope>
type TaggedEntity = StoredEntity & { tag: string }

/** Read again with each change of an entity or of the members, as far as they changed. */
function manifestTextQuery(id: number, scope: Scope) {
  const part = [...keys.manifests, 'contents', id]
  const read = async (options: CallOptions): Promise<readonly StoredEntity[]> => {
    // Edits can follow at once.
    await readyToEdit(entityStore)
    const before = queryClient.getQueryData<readonly TaggedEntity[]>(keyIn(part, scope)) ?? none
    const tagged = (state: EntityStateAnswer): TaggedEntity => ({ ...entityOfAnswer(state), tag: state.tag })
    return readContents<TaggedEntity>(id, before, async states => inSlices(mapInSteps(states, tagged)), options)
  }
  return { ...scoped(part, read, scope), structuralSharing: false }
}

function entityTextQuery(id: number, scope: Scope) {
  const read = async (options: CallOptions): Promise<readonly StoredEntity[]> => {
    await readyToEdit(entityStore)
    return [storedEntity(await queryClient.fetchQuery(entityQuery(id, undefined, options.scope)))]
  }
  return scoped(['entities', 'text', id], read, scope)
}

/** All entities of a manifest that a text may refer to. */
function othersOf({ entities }: ScopeMatrixAnswer): OtherEntity[] {
  return entities.ids.map((id, index) => ({
    id,
    uid: entities.uids[index] ?? '',
    name: entities.names[index] ?? '',
    path: entities.paths[index] ?? '',
    primaryKey: entities.keys[index] ?? null,
  }))
}
