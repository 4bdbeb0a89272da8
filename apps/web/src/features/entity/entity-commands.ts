import { mayDeleteEntity, mayReloadEntity, type Verdict } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import {
  Download,
  FolderPlus,
  GitBranchPlus,
  History,
  Plus,
  RefreshCw,
  Save,
  Spline,
  Trash2,
  Undo2,
  Unlink,
} from 'lucide-react'
import { addRelationship, reloadEntity, saveEntity } from '../../api/entities.ts'
import type { Command } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { deleteEntityAfterQuestion } from '../../commands/deletion.ts'
import { exportEntityFile } from '../../commands/export-entity.ts'
import { commandById } from '../../commands/registry.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { confirm } from '../../workbench/confirm.ts'
import { workbench } from '../../workbench/desk.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { addToManifestDialog, extendDialog, newAttributeDialog, newRelationshipDialog } from './dialogs.ts'
import { addAttribute, draftPrimaryKey, draftRequest, isDirty, relationshipBody } from './entity-draft.ts'
import { discardDraft, edit, entityStore, fail, receive, saveDraft } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'
import type { NewRelationship } from './NewRelationshipDialog.tsx'

export type EntityTab = 'attributes' | 'relationships' | 'extended'
export type EntityContext = { view: EntityView; tab: EntityTab; dirty: boolean; app: AppContext }
type Entity = { id: number; name: string }

const locked = ({ view }: EntityContext) => view.locked ?? false

/** The toolbar of an entity's document; some of the same values make its settings menu. */
export const entityCommands: readonly Command<EntityContext>[] = [
  {
    id: 'entity.save',
    label: 'Save',
    icon: Save,
    shortcut: 'mod+s',
    disabled: ({ view, dirty }) => view.locked ?? (dirty ? false : 'There are no unsaved changes.'),
    run: async ({ view }) => void (await saveDraft(view.entity.id)),
  },
  {
    id: 'entity.discard',
    label: 'Discard changes',
    icon: Undo2,
    visible: ({ dirty }) => dirty,
    run: ({ view }) => discardDraft(view.entity.id),
  },
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
    run: ({ view }) => addEntityToManifest(view.entity),
  },
  {
    id: 'entity.extend',
    label: 'Extend Entity',
    icon: GitBranchPlus,
    visible: ({ view }) => view.draft.extendsEntity === null,
    disabled: locked,
    run: ({ view: { entity } }) =>
      openDialog(extendDialog, {
        entity,
        onApply: parent => edit(entity.id, draft => ({ ...draft, extendsEntity: parent })),
      }),
  },
  {
    id: 'entity.deleteExtend',
    label: 'Delete Extend Entity',
    icon: Unlink,
    visible: ({ view }) => view.draft.extendsEntity !== null,
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
    run: ({ view }) => exportEntityFile(view.entity),
  },
  {
    id: 'entity.delete',
    label: 'Delete Entity',
    icon: Trash2,
    danger: true,
    disabled: ({ view }) => reasonOf(mayDeleteEntity(view.entity)),
    run: ({ view }) => deleteInPlace(view),
  },
]

/** The header: what only an administrator can do with the library. */
export const headerCommands: readonly Command<EntityContext>[] = [
  {
    id: 'entity.reload',
    label: 'Reload Entity',
    icon: RefreshCw,
    visible: ({ view, app }) => mayReloadEntity(view.entity, app),
    run: ({ view }) => reload(view),
  },
]

/** The settings menu of the header, with the names that it has there. */
export const settingsCommands: readonly Command<EntityContext>[] = [
  inMenu('entity.addToManifest', 'Add to Manifest'),
  inMenu('entity.extend', 'Extends Entity'),
  inMenu('entity.deleteExtend', 'Delete Extends Entity'),
  { ...inMenu('entity.delete', 'Delete Entity'), group: 'delete' },
]

function inMenu(id: string, label: string): Command<EntityContext> {
  const command = entityCommands.find(known => known.id === id)
  if (!command) throw new Error(`There is no command ${id}.`)
  return { ...command, label }
}

async function reload({ entity }: EntityView): Promise<void> {
  try {
    await reloadEntity(entity.id)
  } catch (failure) {
    fail(entity.id, failure, messages.failed.unexpected)
  }
}

function deleteInPlace({ entity }: EntityView): Promise<void> {
  const failed = (failure: unknown) => fail(entity.id, failure, messages.failed.deleteEntity)
  return deleteEntityAfterQuestion(entity, messages.entityDeleted, failed)
}

export function addEntityToManifest(entity: Entity): void {
  openDialog(addToManifestDialog, { entity, onAdded: () => workbench.getState().set({ selectedNode: null }) })
}

async function deleteExtends({ entity, draft }: EntityView): Promise<void> {
  const text = `${draft.name} will no longer inherit the attributes of ${draft.extendsEntity?.name ?? ''}.`
  const question = { title: messages.confirm.deleteExtended, text, confirmLabel: 'Delete', danger: true }
  if (await confirm(question)) edit(entity.id, current => ({ ...current, extendsEntity: null }))
}

function newAttribute({ entity, draft }: EntityView): void {
  openDialog(newAttributeDialog, {
    attributeNames: draft.typeAttributes.map(row => row.name),
    foreignKeyNames: draft.saved.entityAttributes.map(row => row.foreignKeyTypeAttribute),
    onFinish: attribute => edit(entity.id, current => addAttribute(current, attribute)),
  })
}

function newRelationship({ entity, draft }: EntityView): void {
  openDialog(newRelationshipDialog, {
    entity: { id: entity.id, primaryKey: draftPrimaryKey(draft) },
    attributeNames: draft.typeAttributes.map(row => row.name),
    foreignKeyNames: draft.saved.entityAttributes.map(row => row.foreignKeyTypeAttribute),
    onFinish: relationship => storeRelationship(entity.id, relationship),
  })
}

/** Stores a relationship; with unsaved edits both go in one save, so that neither can be lost without the other. */
async function storeRelationship(id: number, relationship: NewRelationship): Promise<void> {
  const draft = entityStore.getState().open.get(id)?.draft
  if (!draft) return
  const body = relationshipBody(relationship, draft)
  if (isDirty(draft)) {
    const request = draftRequest(draft, body)
    receive(await saveEntity(id, request, draft.etag))
    discardDraft(id)
  } else {
    await addRelationship(id, body, draft.etag)
  }
  notify('success', messages.entityAttributeAdded(relationship.foreignKeyTypeAttribute))
}

function reasonOf(verdict: Verdict): string | false {
  return verdict.allowed ? false : verdict.reason
}
