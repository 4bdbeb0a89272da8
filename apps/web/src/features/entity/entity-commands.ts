import {
  Download,
  FileCode,
  FolderPlus,
  GitBranchPlus,
  History,
  Network,
  Plus,
  RefreshCw,
  Spline,
  Trash2,
  Unlink,
  Workflow,
} from 'lucide-react'
import { addAttributeEdits, removeParentEdits, replacedKeyOf, setParentEdits } from '@cadmus/model/edits/entity-actions'
import { automaticKey, type EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { mayDeleteEntity, mayReloadEntity, type Verdict } from '@cadmus/model/locks'
import { checkName } from '@cadmus/model/checks'
import { constraintsWithoutParent } from '@cadmus/model/constraints'
import { groupName } from '@cadmus/model/groups'
import { messages } from '@cadmus/model/messages'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { type InheritedKey, inheritsKey, twoKeysMessage, twoKeysOf, withRestoredKey } from '@cadmus/model/one-key'
import { entityQuery, reloadEntity } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'
import { type Command, labelOf } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { deleteEntityAfterQuestion } from '../../commands/deletion.ts'
import { exportEntityFile } from '../../commands/export-entity.ts'
import { referringToAttributes, referringToInherited } from '../../commands/references.ts'
import { commandById } from '../../commands/registry.ts'
import { setSidePanel, sidePanel, toggleText } from '../../commands/side-panel.ts'
import { draftCommands } from '../../drafts/draft-commands.ts'
import type { DraftKey } from '../../drafts/draft-key.ts'
import type { SavedStep } from '../../drafts/saved-steps.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { confirm } from '../../workbench/confirm.ts'
import { compareTab } from '../../workbench/address.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import type { Selection } from '../../workbench/workbench.ts'
import { addEntityToManifest } from './add-to-manifest.ts'
import { forgetCells, redoNext, undoLast, type useCellTurns } from './cell-history.ts'
import { countRefused, setRefusedCells } from '../../drafts/cell-problems.ts'
import { extendDialog, newAttributeDialog, newRelationshipDialog } from './dialogs.ts'
import { draftPrimaryKey } from '../../drafts/entity-draft.ts'
import { undoLastInMessage } from '../../drafts/edit-entity.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { isSaving } from '../../drafts/open-draft.ts'
import { newRelationshipEdits } from '../../drafts/new-relationship.ts'
import { losingSentences } from './remove-columns.ts'
import type { EntityView } from './entity-view.ts'
import { revealRow } from './use-row-selection.ts'

/** Picks the entity to extend, and asks how to handle references to a key that this removes. */
function extendEntity({ key, entity }: EntityView): void {
  openDialog(extendDialog, {
    entity: { id: entity.id, name: entity.name, manifest: entity.targetManifest?.id ?? -1 },
    async onApply(parent) {
      const keys = await keysOf(parent.id)
      const content = contentOf(key)
      const twoKeys = content && twoKeysOf(content, keys)
      if (twoKeys && replacedKeyOf(content, keys) === undefined) return twoKeysMessage(content, twoKeys)
      // Not awaited: the dialog closes first, then a confirmation may follow.
      void setParent({ key, id: entity.id }, parent, keys)
      return undefined
    },
  })
}

async function setParent(
  { key, id }: { key: EntityView['key']; id: number },
  parent: EntityReference,
  keys: readonly InheritedKey[],
): Promise<void> {
  const draft = entityStore.get(key)?.draft
  const removedKey = draft && replacedKeyOf(draft.content, keys)
  const twoKeys = draft && twoKeysOf(draft.content, keys)
  const isStored = draft?.base.typeAttributes.some(item => item.uid === removedKey) ?? false
  // References follow the key by name if the inherited one has the same.
  const needsConfirmation = removedKey !== undefined && twoKeys !== undefined && isStored
  const { additions, chosen } = needsConfirmation
    ? await referringToAttributes(id, [removedKey])
    : { additions: {}, chosen: () => undefined }
  if (twoKeys && additions.affected) {
    const text = messages.keyGoes(twoKeys.own.name, twoKeys.inherited.name, parent.name)
    if (!(await confirm({ title: messages.confirm.extend, text, confirmLabel: 'Apply', danger: true, ...additions })))
      return
  }
  entityStore.edit(key, content => setParentEdits(content, { parent, keys }, chosen()))
}

/** Stops extending after a confirmation that lists references to inherited attributes. */
async function deleteExtends({ key, entity, draft: { base, content } }: EntityView): Promise<void> {
  const parent = content.extendsEntity
  if (!parent) return
  const keys = await keysOf(parent.id).catch(() => [])
  const consequence = `${content.name} will no longer inherit the attributes of ${parent.name}.`
  const own = automaticKey().name
  const becomes = withRestoredKey(content) === content ? messages.noKeyLeft(own) : messages.keyComesBack(own)
  const kept = { ...content, ...constraintsWithoutParent(content) }
  const groups = content.groups.filter(group => !kept.groups.includes(group)).map(groupName)
  const checks = content.checks.filter(check => !kept.checks.includes(check)).map(checkName)
  const text = [consequence, ...(inheritsKey(content, keys) ? [becomes] : []), ...losingSentences(groups, checks)].join(
    ' ',
  )
  const question = { title: messages.confirm.deleteExtended, text, confirmLabel: 'Delete', danger: true }
  // Nothing can refer to attributes inherited only since the last save.
  const inherits = base.extendsEntity?.id === parent.id
  const { additions, chosen, uids } = inherits ? await referringToInherited(entity.id) : noReferences
  if (!(await confirm({ ...question, ...additions }))) return
  const answer = chosen()
  const onReferences = answer ? Object.fromEntries(uids.map(uid => [uid, answer])) : {}
  entityStore.edit(key, current => removeParentEdits(current, keys, onReferences))
}

const noReferences: Awaited<ReturnType<typeof referringToInherited>> = {
  additions: {},
  chosen: () => undefined,
  uids: [],
}

function contentOf(key: EntityView['key']): EntityContent | undefined {
  return entityStore.get(key)?.draft.content
}

/** Current keys of an entity, own or inherited. */
async function keysOf(id: number): Promise<readonly InheritedKey[]> {
  const { entity } = await queryClient.fetchQuery({ ...entityQuery(id), staleTime: 0 })
  return (entity.resolvedAttributes ?? []).filter(column => column.isPrimaryKey)
}

export const entityTabs = ['attributes', 'relationships', 'extended', 'json', compareTab] as const
export type EntityTab = (typeof entityTabs)[number]
/** `typed`: a field holds unapplied text, which Save applies first. */
export type EntityContext = {
  view: EntityView
  tab: EntityTab
  dirty: boolean
  typed: boolean
  app: AppContext
  turns: ReturnType<typeof useCellTurns>
  savedSteps: readonly SavedStep[] | undefined
}

/** Blocks commands that need the entity on the server. */
const deleted = ({ view }: EntityContext) => (view.open.state === 'deleted' ? messages.deleted.locked : false)
const locked = ({ view }: EntityContext) => view.locked ?? false

const { save, others } = draftCommands(entityStore)
export const saveCommand: Command<EntityContext> = {
  ...save,
  busy: ({ view }) => isSaving(view.open),
  async run(context) {
    await save.run(context)
    const { key } = context.view
    const open = entityStore.get(key)
    const left = open?.draft.changes === 0 ? countRefused(key, open.draft.content) : 0
    if (left > 0) notify('info', sheetTexts.cellsLeft(left))
  },
}

/** The same command, also for texts that cells could not take. */
function withCells(command: Command<EntityContext>): Command<EntityContext> {
  switch (command.id) {
    case 'entity.undo':
      return withTurns(command, 'Undo', ({ turns }) => turns.undo, undoLast)
    case 'entity.redo':
      return withTurns(command, 'Redo', ({ turns }) => turns.redo, redoNext)
    case 'entity.discard':
      return { ...command, run: discard(command) }
    default:
      return command
  }
}

function withTurns(
  command: Command<EntityContext>,
  word: string,
  isOfCells: (context: EntityContext) => boolean,
  run: (key: DraftKey) => void,
): Command<EntityContext> {
  return {
    ...command,
    label: context => (isOfCells(context) ? `${word}: Changed texts to look at` : labelOf(command, context)),
    disabled: context => (isOfCells(context) ? false : (command.disabled?.(context) ?? false)),
    run: ({ view }) => run(view.key),
  }
}

function discard({ run }: Command<EntityContext>): Command<EntityContext>['run'] {
  return context => {
    const { key, draft } = context.view
    setRefusedCells(key, new Map(), draft.base)
    forgetCells(key)
    return run(context)
  }
}

export const entityCommands: readonly Command<EntityContext>[] = [
  saveCommand,
  ...others.map(command => ({ ...withCells(command), group: 'steps' })),
  {
    id: 'entity.addAttribute',
    label: 'Add Attribute',
    icon: Plus,
    visible: ({ tab }) => tab === 'attributes',
    disabled: locked,
    run: ({ view }) => newAttribute(view),
  },
  {
    id: 'entity.addRelationship',
    label: 'Add Relationship',
    icon: Spline,
    visible: ({ tab }) => tab === 'relationships',
    disabled: locked,
    run: ({ view }) => newRelationship(view),
  },
  {
    id: 'entity.addToManifest',
    label: 'Add To Manifest',
    icon: FolderPlus,
    disabled: deleted,
    run: ({ view }) => addEntityToManifest(view.entity),
  },
  {
    id: 'entity.extend',
    label: 'Extend Entity',
    icon: GitBranchPlus,
    visible: ({ view }) => view.draft.content.extendsEntity === null,
    disabled: locked,
    run: ({ view }) => extendEntity(view),
  },
  {
    id: 'entity.deleteExtend',
    label: 'Delete Extend Entity',
    icon: Unlink,
    visible: ({ view }) => view.draft.content.extendsEntity !== null,
    disabled: locked,
    run: ({ view }) => deleteExtends(view),
  },
  {
    id: 'entity.versions',
    label: 'Manage Versions',
    icon: History,
    disabled: ({ view }) => view.versionsLocked ?? false,
    run: ({ view: { entity }, app }) => {
      const { id, name, path, isDefault, type } = entity
      const target = { kind: 'entity' as const, id, name, path, isDefault, type, manifest: null }
      return commandById('versions.manage')?.run({ ...app, target })
    },
  },
  {
    id: 'entity.export',
    label: 'Export Entity',
    icon: Download,
    disabled: deleted,
    run: ({ view }) => exportEntityFile(view.entity),
  },
  {
    id: 'entity.diagram',
    label: () => (sidePanel.getState().entity === 'diagram' ? handTexts.around.hide : handTexts.around.show),
    icon: Workflow,
    disabled: deleted,
    run: () => setSidePanel({ entity: sidePanel.getState().entity === 'diagram' ? null : 'diagram' }),
  },
  {
    id: 'entity.text',
    label: () => (sidePanel.getState().entity === 'text' ? paneTexts.hide : firstTexts.showAsText),
    icon: FileCode,
    shortcut: 'alt+t',
    disabled: deleted,
    run: () => toggleText('entity'),
  },
  {
    id: 'entity.dependents',
    label: firstTexts.dependents,
    icon: Network,
    shortcut: 'alt+i',
    disabled: deleted,
    run: async ({ view }) => (await import('./dependents.ts')).showDependents(view),
  },
  {
    id: 'entity.delete',
    label: 'Delete Entity',
    icon: Trash2,
    group: 'delete',
    danger: true,
    disabled: context => deleted(context) || reasonOf(mayDeleteEntity(context.view.entity)),
    run: ({ view }) => deleteInPlace(view),
  },
]

/** Those with a button besides Save; all others are in the menu beside them. */
export const labelledCommands = ['entity.addAttribute', 'entity.addRelationship', 'entity.text']

/** All commands of the toolbar. Reloading is for administrators of the library. */
export const toolbarCommands: readonly Command<EntityContext>[] = [
  ...entityCommands,
  {
    id: 'entity.reload',
    label: 'Reload Entity',
    icon: RefreshCw,
    disabled: deleted,
    visible: ({ view, app }) => mayReloadEntity(view.entity, app),
    run: ({ view }) => reload(view),
  },
  inMenu('entity.addToManifest', 'Add to Manifest'),
  inMenu('entity.extend', 'Extends Entity'),
  inMenu('entity.deleteExtend', 'Delete Extends Entity'),
  inMenu('entity.delete', 'Delete Entity'),
]

function inMenu(id: string, label: string): Command<EntityContext> {
  const command = entityCommands.find(candidate => candidate.id === id)
  if (!command) throw new Error(`There is no command ${id}.`)
  return { ...command, label, submenu: 'Settings', group: 'settings' }
}

async function reload({ key, entity }: EntityView): Promise<void> {
  try {
    await reloadEntity(entity.id)
    entityStore.dispatch(key, { kind: 'succeeded' })
    notify('success', messages.entityReloaded)
  } catch (failure) {
    entityStore.fail(key, failure, messages.failed.unexpected)
  }
}

function deleteInPlace({ key, entity }: EntityView): Promise<void> {
  const failed = (failure: unknown) => entityStore.fail(key, failure, messages.failed.deleteEntity)
  return deleteEntityAfterQuestion(entity, messages.entityDeleted, failed)
}

export function newAttribute({ key, draft: { content } }: EntityView): void {
  openDialog(newAttributeDialog, {
    attributeNames: content.typeAttributes.map(row => row.name),
    foreignKeyNames: content.entityAttributes.map(row => row.foreignKeyTypeAttribute),
    onFinish: attribute => {
      entityStore.edit(key, current => addAttributeEdits(current, attribute))
      showAdded(key, 'typeAttribute', content.typeAttributes)
    },
  })
}

export function newRelationship({ key, entity, draft }: EntityView): void {
  const { typeAttributes, entityAttributes } = draft.content
  openDialog(newRelationshipDialog, {
    entity: {
      id: entity.id,
      name: draft.content.name,
      primaryKey: draftPrimaryKey(draft),
      manifest: entity.targetManifest?.id ?? -1,
    },
    attributeNames: typeAttributes.map(row => row.name),
    foreignKeyNames: entityAttributes.map(row => row.foreignKeyTypeAttribute),
    onFinish: relationship => {
      entityStore.edit(key, current => newRelationshipEdits(current, relationship, entity.currentVersion))
      showAdded(key, 'entityAttribute', entityAttributes)
      notify('success', messages.entityAttributeAdded(relationship.foreignKeyTypeAttribute), undoLastInMessage(key))
    },
  })
}

/** Selects, reveals and focuses the added row. */
function showAdded(key: DraftKey, kind: Selection['kind'], before: readonly { uid: string }[]): void {
  const previousUids = new Set(before.map(row => row.uid))
  const open = entityStore.get(key)
  const added = open?.draft.content[kind === 'typeAttribute' ? 'typeAttributes' : 'entityAttributes'].find(
    row => !previousUids.has(row.uid),
  )
  if (open && added) revealRow(open.draft.saved.id, kind, added.uid)
}

function reasonOf(verdict: Verdict): string | false {
  return verdict.allowed ? false : verdict.reason
}
