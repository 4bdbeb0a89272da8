import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import { limits } from '@cadmus/model/limits'
import { problemsKey, provideUnsavedEdits, readTogether, type UnsavedEdits } from '../api/problems.ts'
import { queryClient } from '../api/query-client.ts'
import { scopeText, type Scope } from '../api/scope.ts'
import { configurationStore } from '../drafts/configuration-store.ts'
import { draftKey, placeOf } from '../drafts/draft-key.ts'
import type { EntityDraft } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { collectKnownProblems } from './collect-known.ts'

const editsOfDraft = new WeakMap<EntityDraft, EntityEdit[]>()

/** Edits of all unsaved drafts of the scope; the server ignores entities that the manifest does not concern. */
function collect(manifestId: number, scope: Scope): UnsavedEdits {
  const within = scopeText(scope)
  const entities = [...entityStore.state.getState().open].flatMap(([key, { state, draft }]) => {
    const place = placeOf(key)
    const isLatest = place.version === undefined && scopeText(place.scope) === within
    return isLatest && state !== 'deleted' && draft.changes > 0 ? [{ id: place.id, edits: editsOf(draft) }] : []
  })
  const configuration = configurationStore.get(draftKey(manifestId, undefined, scope))
  const isChanged = configuration && configuration.state !== 'deleted' && configuration.draft.changes > 0
  return {
    entities: entities.filter(({ edits }) => edits.length <= limits.edits).slice(0, limits.unsavedDrafts),
    configuration: isChanged ? configurationEditsBetween(configuration.draft.base, configuration.draft.content) : [],
  }
}

function editsOf(draft: EntityDraft): EntityEdit[] {
  const edits = editsOfDraft.get(draft) ?? entityEditsBetween(draft.base, draft.content)
  editsOfDraft.set(draft, edits)
  return edits
}

type Query = ReturnType<ReturnType<typeof queryClient.getQueryCache>['findAll']>[number]

/** Queries to read once more when their present request ends, and those for which it has ended. */
const outdated = new Set<Query>()
const ended = new Set<Query>()

/** Reads the shown problems again after each change of a draft: one request of a query at a time, and the last change always. */
function followDrafts(): void {
  entityStore.state.subscribe(({ open }, before) => {
    if (isChanged(open, before.open)) refreshShown()
  })
  configurationStore.state.subscribe(({ open }, before) => {
    if (isChanged(open, before.open)) refreshShown()
  })
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.state.fetchStatus !== 'idle' || !outdated.delete(query)) return
    // After the observers of all that one answer was for have got it.
    if (ended.size === 0) setTimeout(readEnded)
    ended.add(query)
  })
}

function readEnded(): void {
  const queries = [...ended]
  ended.clear()
  readTogether(() => queries.forEach(read))
}

type Open = ReadonlyMap<unknown, { draft: { content: unknown; base: unknown } }>

function isChanged(now: Open, before: Open): boolean {
  if (now.size !== before.size) return true
  for (const [key, { draft }] of now) {
    const old = before.get(key)?.draft
    if (!old || draft.content !== old.content || draft.base !== old.base) return true
  }
  return false
}

function refreshShown(): void {
  readTogether(() => {
    for (const query of queryClient.getQueryCache().findAll({ predicate: isOfProblems })) {
      if (query.isActive()) read(query)
      else void query.invalidate()
    }
  })
}

function read(query: Query): void {
  if (query.state.fetchStatus === 'idle') void query.fetch().catch(() => undefined)
  else outdated.add(query)
}

function isOfProblems({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  const [, resource, part] = problemsKey(0)
  return queryKey[1] === resource && queryKey[2] === part
}

let isFollowing = false

/** Includes the user's drafts in the problems of manifests, from the first call on. */
export function includeDrafts(): void {
  if (isFollowing) return
  isFollowing = true
  provideUnsavedEdits(collect)
  followDrafts()
  collectKnownProblems()
  // What was read before is without drafts.
  const open = [...entityStore.state.getState().open.values(), ...configurationStore.state.getState().open.values()]
  if (open.some(({ draft }) => draft.changes > 0)) refreshShown()
}
