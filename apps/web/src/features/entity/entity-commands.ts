import { relationshipRequest } from '@cadmus/model/contract/entity-shapes'
import { addAttributeEdits, addRelationshipEdits } from '@cadmus/model/edits/column-edits'
import { mayDeleteEntity, mayReloadEntity, type Verdict } from '@cadmus/model/locks'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { Download, FolderPlus, GitBranchPlus, History, Plus, RefreshCw, Spline, Trash2, Unlink } from 'lucide-react'
import type * as z from 'zod'
import { reloadEntity } from '../../api/entities.ts'
import type { Command } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { deleteEntityAfterQuestion } from '../../commands/deletion.ts'
import { exportEntityFile } from '../../commands/export-entity.ts'
import { commandById } from '../../commands/registry.ts'
import { notify } from '../../ui/Snackbar.tsx'
import type { Selection } from '../../workbench/workbench.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { addEntityToManifest } from './add-to-manifest.ts'
import { newAttributeDialog, newRelationshipDialog } from './dialogs.ts'
import { deleteExtends, extendEntity } from './extend-entity.ts'
import { draftCommands } from '../../drafts/draft-commands.ts'
import type { DraftKey } from '../../drafts/draft-key.ts'
import { draftPrimaryKey } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'
import type { NewRelationship } from './NewRelationshipDialog.tsx'
import { revealRow } from './use-row-selection.ts'

export const entityTabs = ['attributes', 'relationships', 'extended', 'json'] as const
export type EntityTab = (typeof entityTabs)[number]
/** `typed`: a field holds unapplied text, which Save applies first. */
export type EntityContext = { view: EntityView; tab: EntityTab; dirty: boolean; typed: boolean; app: AppContext }

/** Blocks commands that need the entity on the server. */
const deleted = ({ view }: EntityContext) => (view.open.state === 'deleted' ? messages.deleted.locked : false)
const locked = ({ view }: EntityContext) => view.locked ?? false

/** Also run by the button beside the entity's name. */
const { save, others } = draftCommands(entityStore)
export const saveCommand: Command<EntityContext> = save

export const entityCommands: readonly Command<EntityContext>[] = [
  saveCommand,
  ...others,
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
    id: 'entity.delete',
    label: 'Delete Entity',
    icon: Trash2,
    danger: true,
    disabled: context => deleted(context) || reasonOf(mayDeleteEntity(context.view.entity)),
    run: ({ view }) => deleteInPlace(view),
  },
]

/** Header commands, for administrators of the library. */
export const headerCommands: readonly Command<EntityContext>[] = [
  {
    id: 'entity.reload',
    label: 'Reload Entity',
    icon: RefreshCw,
    disabled: deleted,
    visible: ({ view, app }) => mayReloadEntity(view.entity, app),
    run: ({ view }) => reload(view),
  },
]

export const settingsCommands: readonly Command<EntityContext>[] = [
  inMenu('entity.addToManifest', 'Add to Manifest'),
  inMenu('entity.extend', 'Extends Entity'),
  inMenu('entity.deleteExtend', 'Delete Extends Entity'),
  { ...inMenu('entity.delete', 'Delete Entity'), group: 'delete' },
]

function inMenu(id: string, label: string): Command<EntityContext> {
  const command = entityCommands.find(candidate => candidate.id === id)
  if (!command) throw new Error(`There is no command ${id}.`)
  return { ...command, label }
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
      const request = relationshipRequest.parse(relationshipBody(relationship, entity.currentVersion))
      entityStore.edit(key, current => addRelationshipEdits(current, request).edits)
      showAdded(key, 'entityAttribute', entityAttributes)
      notify('success', messages.entityAttributeAdded(relationship.foreignKeyTypeAttribute))
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

function relationshipBody(input: NewRelationship, version: string): z.input<typeof relationshipRequest> {
  const { associatedEntity, associatedEntityTypeAttribute, foreignKeyTypeAttribute, foreignKeyDataType } = input
  return {
    associatedEntityId: associatedEntity.id,
    associatedEntityName: associatedEntity.name,
    associatedEntityPath: associatedEntity.location,
    associatedEntityTypeAttribute,
    description: '',
    traitReference: defaults.traitReference,
    simple: 'true',
    foreignKeyAttribute: { purpose: 'hasA', dataType: foreignKeyDataType, typeAttributeName: foreignKeyTypeAttribute },
    version,
  }
}

function reasonOf(verdict: Verdict): string | false {
  return verdict.allowed ? false : verdict.reason
}
