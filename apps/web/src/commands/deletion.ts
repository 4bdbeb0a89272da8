import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { folderOf } from '@cadmus/model/paths'
import { deleteEntity, isEntityGone } from '../api/entities.ts'
import { messageOf } from '../api/error.ts'
import { deleteManifest, manifestParents, removeEntityFromManifest, removeSubManifest } from '../api/manifests.ts'
import { currentScope, scopeText, type Scope } from '../api/scope.ts'
import { notify } from '../ui/Snackbar.tsx'
import { confirm } from '../workbench/confirm.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { scopeOfTab, tabIdOf, type DocumentRef, type TabId } from '../workbench/documents.ts'
import { allTabs } from '../workbench/workbench.ts'
import type { Named } from './context.ts'
import { listedNames } from './entity-words.ts'
import { referring, type Referring, referringToAll } from './references.ts'
import type { Reversal } from './restore.ts'

// The user may open another organisation before a deletion is sent: each has the scope that it was requested in.

type Placed = Named & { path: string }

/**
 * Asks for confirmation, deletes the entity, closes its tab and clears the selection. The texts differ between tree and
 * document.
 */
export async function deleteEntityAfterQuestion(
  { id, name, path }: Placed,
  success: string,
  onFailure = notifyFailure(messages.failed.deleteEntity),
): Promise<void> {
  const scope = currentScope()
  const { deleteEntity: text, deleteEntityTitle: title } = messages.confirm
  const { additions, chosen } = await referring('entity', id, scope)
  const question = {
    title,
    text,
    details: [name],
    folder: folderOf(path),
    consequences: entityConsequences,
    ...additions,
  }
  if (!(await confirm({ ...question, confirmLabel: 'Delete', danger: true }))) return
  await attempt(() => deleteEntity(id, chosen(), scope), success, onFailure, { kind: 'entity', id, name }, scope)
}

/** Each is a call of its own. */
const mostAtOnce = 100

/** The same for several entities, after one question. Those that could not be deleted are named with the reason. */
export async function deleteEntitiesAfterQuestion(entities: readonly Placed[], success: string): Promise<void> {
  const [only] = entities
  const { confirm: texts } = messages
  if (only && entities.length === 1) return deleteEntityAfterQuestion(only, success)
  if (entities.length > mostAtOnce) return notify('info', texts.tooManyToDelete(mostAtOnce))
  const scope = currentScope()
  const byId = new Map(entities.map(entity => [entity.id, entity]))
  const { additions, chosen, order } = await referringToAll([...byId.keys()], scope)
  const question = {
    title: firstTexts.deleteEntities(entities.length),
    text: texts.deleteEntities(entities.length),
    details: [listedNames(entities.map(({ name }) => name))],
    consequences: [texts.entitiesGo, texts.entitiesStay],
    ...additions,
  }
  if (!(await confirm({ ...question, confirmLabel: 'Delete', danger: true }))) return
  const inOrder = order.flatMap(id => byId.get(id) ?? [])
  await attemptEach(inOrder, scope, async entity => {
    // Those that refer to each other in a circle are referred to until the last is deleted.
    await deleteEntity(entity.id, chosen() ?? 'keep', scope)
    return reversalOf({ kind: 'entity', ...entity }, scope)
  })
}

/**
 * Runs a deletion for each of several objects. Those that could not be deleted are named with the reason; one Undo takes back the
 * others. `work` returns how its deletion is taken back.
 */
async function attemptEach<T extends Named>(
  all: readonly T[],
  scope: Scope,
  work: (one: T) => Promise<Reversal | null>,
  success: (count: number) => string = messages.entitiesDeleted,
  failure: string = messages.failed.deleteEntity,
): Promise<void> {
  const reversals: (Reversal | null)[] = []
  const refused: string[] = []
  for (const one of all)
    try {
      reversals.unshift(await work(one))
    } catch (error) {
      refused.push(`${one.name}: ${messageOf(error, failure)}`)
    }
  if (refused.length > 0) notify('error', [failure, ...refused].join('\n'))
  if (reversals.length > 0)
    notify(
      'success',
      success(reversals.length),
      undoOf(async () => reversals, scope),
    )
}

/** Texts for the deletion of a manifest or sub-manifest, and for a failure without a message. */
export type ManifestDeletion = { deleted: string; subManifestDeleted: string; unknown: string }

/** Asks for confirmation, listing up to five manifests that contain it as a sub-manifest, and deletes the manifest. */
export async function deleteManifestAfterQuestion({ id, name }: Named, texts: ManifestDeletion): Promise<void> {
  const scope = currentScope()
  const shown = limits.deleteManifestParents
  const parents = await manifestParents(id, shown, { scope }).catch(() => ({ manifests: [], totalElements: 0 }))
  const names = parents.manifests.map(parent => parent.name)
  const more = parents.totalElements > shown ? [messages.confirm.andMore] : []
  const details = names.length === 0 ? [name] : [`${name} is a sub-manifest of:`, ...names, ...more]
  const text = messages.confirm.deleteManifest
  const { additions, chosen } = await referring('manifest', id, scope)
  const { manifestGoes, manifestStays } = messages.confirm
  const question = {
    title: 'Delete Manifest',
    text,
    details,
    consequences: [manifestGoes, manifestStays],
    ...additions,
  }
  if (!(await confirm({ ...question, confirmLabel: 'Delete', danger: true }))) return
  await attempt(
    () => deleteManifest(id, chosen(), scope),
    parents.totalElements > 0 ? texts.subManifestDeleted : texts.deleted,
    notifyFailure(messages.failed.deleteManifest, texts.unknown),
    { kind: 'manifest', id, name },
    scope,
  )
}

/** Asks for confirmation and removes sub-manifests from their parent without deleting them. */
export async function removeSubManifestsAfterQuestion(removed: readonly Named[], parent: Named): Promise<void> {
  const scope = currentScope()
  const { confirm: texts, deletedTree, failed } = messages
  const [only] = removed
  if (only === undefined) return
  const isSingle = removed.length === 1
  const question = {
    title: isSingle ? 'Delete Sub-Manifest' : `Delete ${removed.length} Sub-Manifests`,
    text: isSingle
      ? `Do you really want to remove ${only.name} from ${parent.name}? The manifest itself stays.`
      : texts.removeSubManifests(listedNames(removed.map(({ name }) => name)), parent.name),
    consequences: [isSingle ? texts.subManifestStays : texts.subManifestsStay],
  }
  if (!(await confirm({ ...question, confirmLabel: 'Delete', danger: true }))) return
  if (isSingle)
    return attempt(
      () => removeSubManifest(parent.id, only.id, scope),
      deletedTree.subManifest,
      notifyFailure(failed.deleteSubManifest),
      { kind: 'member', ...parent },
      scope,
    )
  await attemptEach(
    removed,
    scope,
    async ({ id }) => {
      await removeSubManifest(parent.id, id, scope)
      return reversalOf({ kind: 'member', ...parent }, scope)
    },
    messages.subManifestsRemoved,
    failed.deleteSubManifest,
  )
}

/** Asks for confirmation and removes an entity from a manifest; an entity owned by the manifest is deleted. */
export async function removeMemberAfterQuestion(
  { id, name, path }: Placed,
  manifest: Named,
  owned: boolean,
): Promise<void> {
  const scope = currentScope()
  const { deleteEntity: text, deleteEntityTitle: title } = messages.confirm
  const details = owned ? [`${name} belongs only to ${manifest.name}.`] : []
  const consequences = owned ? entityConsequences : [messages.confirm.memberGoes(name, manifest.name)]
  const { additions, chosen } = owned ? await referring('entity', id, scope) : noReferences
  const question = { title, text, details, folder: folderOf(path), consequences, ...additions }
  if (!(await confirm({ ...question, confirmLabel: 'Delete', danger: true }))) return
  const { deletedTree, failed } = messages
  await attempt(
    () => removeEntityFromManifest(manifest.id, id, { onReferences: chosen(), scope }),
    deletedTree.entity,
    notifyFailure(failed.deleteEntity),
    owned ? { kind: 'entity', id, name } : { kind: 'member', ...manifest },
    scope,
  )
}

/**
 * The same for several entities, after one question. Those that could not be removed are named with the reason. The `owned` ones are
 * deleted.
 */
export async function removeMembersAfterQuestion(
  members: readonly (Placed & { owned: boolean })[],
  manifest: Named,
): Promise<void> {
  const [only] = members
  if (only && members.length === 1) return removeMemberAfterQuestion(only, manifest, only.owned)
  const { confirm: texts } = messages
  if (members.length > mostAtOnce) return notify('info', texts.tooManyToDelete(mostAtOnce))
  const scope = currentScope()
  const [owned, listed] = [members.filter(one => one.owned), members.filter(one => !one.owned)]
  const { additions, chosen, order } = await referringToAll(
    owned.map(({ id }) => id),
    scope,
  )
  const names = (all: readonly Placed[]) => listedNames(all.map(({ name }) => name))
  const question = {
    title: firstTexts.deleteEntities(members.length),
    text: texts.deleteEntities(members.length),
    details: [names(members)],
    consequences: [
      ...(owned.length > 0 ? [texts.entitiesGo, texts.entitiesStay] : []),
      ...(listed.length > 0 ? [texts.membersGo(names(listed), manifest.name)] : []),
    ],
    ...additions,
  }
  if (!(await confirm({ ...question, confirmLabel: 'Delete', danger: true }))) return
  const byId = new Map(owned.map(one => [one.id, one]))
  const inOrder = [...listed, ...order.flatMap(id => byId.get(id) ?? [])]
  await attemptEach(
    inOrder,
    scope,
    async member => {
      const isOwned = byId.has(member.id)
      const onReferences = isOwned ? (chosen() ?? 'keep') : undefined
      await removeEntityFromManifest(manifest.id, member.id, { onReferences, scope })
      return reversalOf(isOwned ? { kind: 'entity', ...member } : { kind: 'member', ...manifest }, scope)
    },
    count => messages.membersRemoved(count, manifest.name),
  )
}

const entityConsequences = [messages.confirm.entityGoes, messages.confirm.entityStays]

const noReferences: Referring = { additions: {}, chosen: () => undefined }

/** What was deleted, or the manifest that lost a member. */
type Deleted = Named & { kind: 'entity' | 'manifest' | 'member' }

/** Closes the tabs of what was deleted; returns how that is taken back, or null if the code cannot be loaded. */
async function reversalOf({ kind, id, name }: Deleted, scope: Scope): Promise<Reversal | null> {
  if (kind !== 'member') workbench.getState().closeTabs(tabsOf({ kind, id, name }, scope))
  const restore = await import('./restore.ts').catch(() => null)
  if (!restore) return null
  const { reversalOfDeletion, reversalOfNewest } = restore
  return kind === 'member' ? reversalOfNewest(id, scope) : reversalOfDeletion(kind, { id, name }, scope)
}

function undoOf(reversals: () => Promise<readonly (Reversal | null)[]>, scope: Scope) {
  const undo = async () => {
    const [{ takeBackAll }, all] = await Promise.all([import('./restore.ts'), reversals()])
    await takeBackAll(
      all.filter(reversal => reversal !== null),
      scope,
    )
  }
  return { label: 'Undo', run: () => void undo() }
}

/** On success clears the selection and closes the document with its unsaved changes. */
async function attempt(
  work: () => Promise<void>,
  success: string,
  onFailure: (error: unknown) => void,
  deleted: Deleted,
  scope: Scope,
) {
  try {
    await work()
    if (scopeText(scope) === scopeText(currentScope())) workbench.getState().set({ selectedNode: null })
    const reversal = reversalOf(deleted, scope)
    if (deleted.kind === 'manifest') await closeDeleted(scope)
    notify(
      'success',
      success,
      undoOf(async () => [await reversal], scope),
    )
  } catch (error) {
    onFailure(error)
  }
}

/** Tabs of a manifest and its configuration, except unsaved ones. */
function tabsOf({ kind, id }: DocumentRef, scope: Scope): TabId[] {
  const own = tabIdOf({ kind, id }, scope)
  const configuration = tabIdOf({ kind: 'configuration', id }, scope)
  return kind === 'manifest' && !workbench.getState().drafts.has(configuration) ? [own, configuration] : [own]
}

/** Closes the tabs of entities deleted with their manifest. Unsaved tabs stay open and show the deletion. */
async function closeDeleted(scope: Scope): Promise<void> {
  const state = workbench.getState()
  const tabs = allTabs(state).filter(
    ({ kind, tabId }) => kind === 'entity' && scopeOfTab(tabId) === scopeText(scope) && !state.drafts.has(tabId),
  )
  const gone = await Promise.all(tabs.map(async tab => ((await isEntityGone(tab.id, scope)) ? [tab.tabId] : [])))
  workbench.getState().closeTabs(gone.flat())
}

/** Shows the failed action and the reason, in the server's words if available. */
function notifyFailure(failure: string, unknown = failure): (error: unknown) => void {
  return error => {
    const words = messageOf(error, '')
    notify('error', words === '' ? unknown : `${failure}: ${words}`)
  }
}
