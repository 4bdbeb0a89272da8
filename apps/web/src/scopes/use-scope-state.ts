import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import type { ScopeMatrixAnswer } from '@cadmus/model/contract/scope-matrix'
import { declaredAttributes } from '@cadmus/model/inherit'
import { mayConfigureManifest } from '@cadmus/model/locks'
import { accessOf, type ApiAccess, exclusionsOf } from '@cadmus/model/required-scopes'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { scopeText, useScope } from '../api/scope.ts'
import { configurationStore, type OpenConfiguration } from '../drafts/configuration-store.ts'
import { draftKey, placeOf } from '../drafts/draft-key.ts'
import { draftPrimaryKey, type EntityDraft } from '../drafts/entity-draft.ts'
import { entityStore, type OpenEntity } from '../drafts/entity-store.ts'
import { useOpenDraft } from '../drafts/open-drafts.ts'
import { matrixRows, type MatrixRow, type RowChange } from './matrix-rows.ts'
import { definedIn, type DefinedScopes, type ScopeChange, type ScopeState } from './scope-changes.ts'
import { type ScopeSession, scopeSession } from './scope-session.ts'

/** The manifest whose scopes are shown. */
export type ShownManifest = Pick<
  ManifestAnswer,
  'id' | 'name' | 'path' | 'isDefault' | 'currentVersion' | 'latestVersion'
>

export type ShownScopes = ScopeState & {
  manifest: ShownManifest
  rows: readonly MatrixRow[]
  access: ApiAccess
  session: ScopeSession
  /** The drafts with unsaved changes that belong to the manifest. */
  unsaved: { entities: readonly OpenEntity[]; configuration: OpenConfiguration | null }
  /** Why the configuration cannot be changed; null if it can. */
  configurationLocked: string | null
  hasManifests: boolean
  usesDirectory: boolean
}

/** The scopes of a manifest with all unsaved changes on top. `version`: an old one, which has no drafts. */
export function useScopeState(
  manifest: ShownManifest,
  answer: ScopeMatrixAnswer,
  version: string | undefined,
): ShownScopes {
  const session = scopeSession(manifest.id)
  const pending = useStore(session.state, state => state.pending)
  const drafts = useLatestDrafts()
  const open = useOpenDraft(configurationStore, draftKey(manifest.id, undefined))
  const isOld = version !== undefined
  const configuration = isOld || open?.state === 'deleted' ? undefined : open
  const settings = configuration?.draft.content.configurationBuild ?? answer.configuration
  const changes = useMemo(() => (isOld ? new Map() : rowChanges(drafts, pending)), [isOld, drafts, pending])
  const rows = useMemo(() => matrixRows(answer, changes), [answer, changes])
  const defined = useMemo<DefinedScopes>(
    () => pending.findLast(one => one.defined)?.defined ?? definedIn(settings),
    [pending, settings],
  )
  const access = useMemo(
    () => ({ ...accessOf(settings), excluded: exclusionsOf(defined.excludeOperations) }),
    [settings, defined],
  )
  const unsaved = useMemo(
    () => unsavedOf(answer, isOld ? new Map() : drafts, configuration),
    [answer, isOld, drafts, configuration],
  )
  useEffect(() => {
    if (!isOld) session.show({ rows, defined })
  }, [isOld, session, rows, defined])
  const verdict = mayConfigureManifest(manifest)
  const configurationLocked = verdict.allowed ? null : verdict.reason
  const hasManifests = answer.manifests.length > 1
  const usesDirectory = settings.apiScopeConfiguration.identityProvider === 'MARTINI_USER_DIRECTORY'
  return useMemo(
    () => ({ manifest, rows, defined, access, session, unsaved, configurationLocked, hasManifests, usesDirectory }),
    [manifest, rows, defined, access, session, unsaved, configurationLocked, hasManifests, usesDirectory],
  )
}

type Drafts = ReadonlyMap<number, OpenEntity>

/** What drafts change, and on top of them the steps in progress. */
function rowChanges(drafts: Drafts, pending: readonly ScopeChange[]): Map<number, RowChange> {
  const changes = new Map<number, RowChange>()
  for (const [id, { draft }] of drafts) {
    const { name, operationScopes } = draft.content
    changes.set(id, { name, operationScopes, primaryKey: firstOfKey(draft) })
  }
  for (const { entities } of pending) {
    for (const [id, operationScopes] of entities) {
      const change = changes.get(id)
      changes.set(id, { ...change, operationScopes: { ...change?.operationScopes, ...operationScopes } })
    }
  }
  return changes
}

/** The attribute that stands for the key in addresses of operations, as on the server. */
function firstOfKey(draft: EntityDraft): string | null {
  const { saved, content } = draft
  const own = declaredAttributes({ ...content, id: saved.id, path: saved.path })
  return own.find(({ isPrimaryKey }) => isPrimaryKey)?.name ?? draftPrimaryKey(draft)
}

function unsavedOf(answer: ScopeMatrixAnswer, drafts: Drafts, configuration: OpenConfiguration | undefined) {
  const members = new Set(answer.entities.ids)
  const entities = [...drafts].flatMap(([id, one]) => (members.has(id) && one.draft.changes > 0 ? [one] : []))
  const isDirty = configuration !== undefined && configuration.draft.changes > 0
  return { entities, configuration: isDirty ? configuration : null }
}

/** The open drafts of latest versions in the current scope, by entity. */
function useLatestDrafts(): Drafts {
  const within = scopeText(useScope())
  return useStore(
    entityStore.state,
    useShallow(({ open }) => {
      const drafts = [...open].flatMap(([key, one]) => {
        const { id, version, scope } = placeOf(key)
        const isCurrent = version === undefined && one.state !== 'deleted' && scopeText(scope) === within
        return isCurrent ? [[id, one] as const] : []
      })
      return new Map(drafts)
    }),
  )
}
