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
  const deleted = { kind: 'entity' as const, id, name }
  await attempt(() => deleteEntity(id, chosen(), scope), success, onFailure, { deleted, scope })
}

/** Each is a call of its own. */
const mostAtOnce = 100

/** The same for several entities, after one question. Those that could not be deleted are named with the reason. */
export async function deleteEntitiesAfterQuestion(entities: readonly Placed[], success: string): Promise<void> {
  const [only] = entities
  const { confirm: texts, failed } = messages
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
  const deleted: Placed[] = []
  const refused: string[] = []
  for (const entity of order.flatMap(id => byId.get(id) ?? []))
    try {
      // Those that refer to each other in a circle are referred to until the last is deleted.
      await deleteEntity(entity.id, chosen() ?? 'keep', scope)
      workbench.getState().closeTabs(tabsOf({ kind: 'entity', ...entity }, scope))
      deleted.push(entity)
    } catch (error) {
      refused.push(`${entity.name}: ${messageOf(error, failed.deleteEntity)}`)
    }
  const undoAll = async () => {
    for (const { id, name } of deleted.toReversed()) await undo({ deleted: { kind: 'entity', id, name }, scope })
  }
  if (refused.length > 0) notify('error', [failed.deleteEntity, ...refused].join('\n'))
  if (deleted.length > 0)
    notify('success', messages.entitiesDeleted(deleted.length), { label: 'Undo', run: () => void undoAll() })
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
    { deleted: { kind: 'manifest', id, name }, scope },
  )
}

/** Asks for confirmation and removes a sub-manifest from its parent without deleting it. */
export async function removeSubManifestAfterQuestion({ id, name }: Named, parent: Named): Promise<void> {
  const scope = currentScope()
  const text = `Do you really want to remove ${name} from ${parent.name}? The manifest itself stays.`
  const question = { title: 'Delete Sub-Manifest', text, consequences: [messages.confirm.subManifestStays] }
  if (!(await confirm({ ...question, confirmLabel: 'Delete', danger: true }))) return
  const { deletedTree, failed } = messages
  await attempt(
    () => removeSubManifest(parent.id, id, scope),
    deletedTree.subManifest,
    notifyFailure(failed.deleteSubManifest),
    { deleted: null, manifest: parent, scope },
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
  const deleted = owned ? { kind: 'entity' as const, id, name } : null
  await attempt(
    () => removeEntityFromManifest(manifest.id, id, { onReferences: chosen(), scope }),
    deletedTree.entity,
    notifyFailure(failed.deleteEntity),
    { deleted, manifest, scope },
  )
}

const entityConsequences = [messages.confirm.entityGoes, messages.confirm.entityStays]

const noReferences: Referring = { additions: {}, chosen: () => undefined }

/** `manifest`: the one that loses a member. */
type Attempted = {
  deleted: { kind: 'entity' | 'manifest'; id: number; name: string } | null
  manifest?: Named
  scope: Scope
}

async function undo({ deleted, manifest, scope }: Attempted): Promise<void> {
  const { undoDeletion, undoNewest } = await import('./restore.ts')
  if (deleted) await undoDeletion(deleted.kind, deleted.id, deleted.name, scope)
  else if (manifest) await undoNewest(manifest.id, scope)
}

/** On success clears the selection and closes the document with its unsaved changes. */
async function attempt(
  work: () => Promise<void>,
  success: string,
  onFailure: (error: unknown) => void,
  { deleted, manifest, scope }: Attempted,
) {
  try {
    await work()
    if (scopeText(scope) === scopeText(currentScope())) workbench.getState().set({ selectedNode: null })
    if (deleted) workbench.getState().closeTabs(tabsOf(deleted, scope))
    if (deleted?.kind === 'manifest') await closeDeleted(scope)
    notify('success', success, { label: 'Undo', run: () => void undo({ deleted, manifest, scope }) })
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
