import { columnName, type Column, columnsInOrder, columnsOf, isKey, isTypeAttribute } from '@cadmus/model/columns'
import { addColumnsEdits, copiedColumn, duplicateColumnsEdits, withoutKey } from '@cadmus/model/edits/copy-columns'
import { movingConstraints } from '@cadmus/model/edits/constraint-edits'
import { attributeTexts } from '@cadmus/model/messages/attributes'
import { biographyTexts } from '@cadmus/model/messages/biography'
import { groupTexts } from '@cadmus/model/messages/groups'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { Copy, CopyPlus, Fingerprint, FolderInput, History, ListTree, type LucideIcon, Network } from 'lucide-react'
import type { LoadedEntity } from '../../api/entities.ts'
import type { Command } from '../../commands/command.ts'
import { entriesOf } from '../../commands/entries.ts'
import { openAt } from '../../commands/DocumentLink.tsx'
import { listedNames } from '../../commands/entity-words.ts'
import { referringToAttributes } from '../../commands/references.ts'
import { draftKey } from '../../drafts/draft-key.ts'
import { notify } from '../../ui/notices.ts'
import type { MenuEntry } from '../../ui/MenuEntries.tsx'
import { confirm } from '../../workbench/confirm.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { hasBiography, showBiography } from './biography.tsx'
import { copyAttributesDialog } from './dialogs.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import type { EntityView } from './entity-view.ts'
import { addGroup, groupRefusal } from './group-commands.ts'
import { moveColumns } from './linked-moves.ts'
import { constraintsLosing, keyReason } from './remove-columns.ts'

/** `uids`: the chosen rows. */
type ColumnContext = { view: EntityView; uids: () => readonly string[] }

/** Commands on the chosen attributes and relationships, in their context menu, the palette and by keys. */
export const columnCommands: readonly Command<ColumnContext>[] = [
  {
    id: 'columns.duplicate',
    label: 'Duplicate',
    fullLabel: 'Duplicate Attributes',
    icon: CopyPlus,
    group: 'copy',
    shortcut: 'mod+shift+d',
    visible: context => chosenOf(context).length > 0,
    disabled: ({ view }) => view.locked ?? false,
    run: context => duplicate(context),
  },
  {
    id: 'columns.copy',
    label: 'Copy to Entity…',
    fullLabel: 'Copy Attributes to Entity…',
    icon: Copy,
    group: 'copy',
    shortcut: 'mod+alt+c',
    visible: context => chosenOf(context).length > 0,
    run: context => choose(context.view, chosenOf(context), false),
  },
  {
    id: 'columns.move',
    label: 'Move to Entity…',
    fullLabel: 'Move Attributes to Entity…',
    icon: FolderInput,
    group: 'copy',
    shortcut: 'mod+alt+m',
    visible: context => chosenOf(context).length > 0,
    disabled: context => context.view.locked ?? (chosenOf(context).every(isKey) && keyReason),
    run: context => choose(context.view, chosenOf(context), true),
  },
  groupCommand('unique', groupTexts.uniqueTogether, Fingerprint),
  groupCommand('index', groupTexts.indexTogether, ListTree),
  {
    id: 'columns.dependents',
    label: firstTexts.dependents,
    fullLabel: 'What Depends on This Attribute',
    icon: Network,
    group: 'history',
    visible: context => chosenOf(context).length === 1,
    run: async ({ view, uids }) => (await import('./dependents.ts')).showDependents(view, uids()[0]),
  },
  {
    id: 'columns.biography',
    label: biographyTexts.command,
    icon: History,
    group: 'history',
    visible: context => chosenOf(context).length === 1,
    disabled: ({ view, uids }) => !hasBiography(view, uids()[0]) && biographyTexts.unsaved,
    run: ({ view, uids }) => openBiography(view, uids()[0]),
  },
]

function groupCommand(kind: 'unique' | 'index', label: string, icon: LucideIcon): Command<ColumnContext> {
  return {
    id: `columns.${kind}`,
    label,
    icon,
    group: 'groups',
    visible: context => chosenOf(context).length > 1,
    disabled: context => context.view.locked ?? groupRefusal(context.view, kind, chosenOf(context)) ?? false,
    run: context => addGroup(context.view, kind, chosenOf(context)),
  }
}

/** Entries for a row: they apply to the selection if it includes the row. */
export function copyEntries(view: EntityView, uids: ReadonlySet<string>): MenuEntry[] {
  return [...entriesOf(columnCommands, { view, uids: () => [...uids] }), { kind: 'separator', id: 'line-copies' }]
}

/** The context of the document's own selection. */
export function chosenContext(view: EntityView): ColumnContext {
  const tabId = tabIdOf({ kind: 'entity', id: view.entity.id })
  return { view, uids: () => workbench.getState().selections.get(tabId)?.uids ?? [] }
}

function chosenOf({ view: { draft }, uids }: ColumnContext): Column[] {
  const chosen = new Set(uids())
  return columnsInOrder(draft.content).filter(({ uid }) => chosen.has(uid))
}

function openBiography({ entity, draft }: EntityView, uid: string | undefined): void {
  const column = columnsOf(draft.content).find(each => each.uid === uid)
  if (!column) return
  const kind = isTypeAttribute(column) ? 'typeAttribute' : 'entityAttribute'
  workbench.getState().select(tabIdOf({ kind: 'entity', id: entity.id }), { kind, uids: [column.uid] })
  showBiography(column.uid)
}

function duplicate(context: ColumnContext): void {
  const { key, entity, draft } = context.view
  const before = new Set(columnsOf(draft.content).map(({ uid }) => uid))
  const uids = chosenOf(context).map(({ uid }) => uid)
  const inherited = (entity.resolvedAttributes ?? []).map(({ name }) => name)
  entityStore.edit(key, content => duplicateColumnsEdits(content, uids, inherited))
  const after = columnsInOrder(entityStore.get(key)?.draft.content ?? draft.content)
  const copies = after.flatMap(({ uid }) => (before.has(uid) ? [] : [uid]))
  const tabId = tabIdOf({ kind: 'entity', id: entity.id })
  const kind = workbench.getState().selections.get(tabId)?.kind ?? 'typeAttribute'
  workbench.getState().select(tabId, { kind, uids: copies, reveal: true })
}

function choose(view: EntityView, chosen: readonly Column[], moves: boolean): void {
  const { entity, draft } = view
  const columns = moves ? chosen.filter(column => !isKey(column)) : chosen
  openDialog(copyAttributesDialog, {
    source: { id: entity.id, name: draft.content.name, manifest: entity.targetManifest?.id ?? -1 },
    columns,
    moves,
    stay: moves ? chosen.filter(isKey).map(columnName) : [],
    onFinish: (target, named) => void (moves ? moveAttributes(view, target, named) : copy(target, named)),
  })
}

function copy(target: LoadedEntity, columns: readonly Column[]): void {
  const key = opened(target)
  entityStore.edit(key, content =>
    addColumnsEdits(
      content,
      columns.map(column => withoutKey(copiedColumn(column, columnName(column)))),
    ),
  )
  report(target, attributeTexts.moves.copied(columns.length, target.entity.name))
}

/** Moves columns to another entity, after a question if they are referred to or members of groups. */
export async function moveAttributes(
  { key, entity, draft }: Pick<EntityView, 'key' | 'entity' | 'draft'>,
  target: LoadedEntity,
  columns: readonly Column[],
) {
  const stored = new Set(columnsOf(draft.base).map(({ uid }) => uid))
  const uids = columns.map(({ uid }) => uid).filter(uid => stored.has(uid))
  const { additions, chosen } = await referringToAttributes(entity.id, uids)
  const moving = movingConstraints(draft.content, columns)
  const isStaying = (list: 'groups' | 'checks') => (item: { uid: string }) =>
    !moving[list].some(({ uid }) => uid === item.uid)
  const losing = constraintsLosing(
    {
      ...draft.content,
      groups: draft.content.groups.filter(isStaying('groups')),
      checks: draft.content.checks.filter(isStaying('checks')),
    },
    columns,
    true,
  )
  if (additions.affected || losing !== '') {
    const text = `${listedNames(columns.map(columnName))}${losing}`
    const question = { title: 'Move Attributes', text, confirmLabel: 'Move', danger: true }
    if (!(await confirm({ ...question, ...additions }))) return
  }
  moveColumns(key, opened(target), columns, chosen())
  report(target, attributeTexts.moves.moved(columns.length, target.entity.name))
}

/** The key of the target's draft, which is opened if it is not yet; drafts without a tab are dropped. */
function opened({ entity, etag }: LoadedEntity) {
  const { id, name, path } = entity
  const key = draftKey(id, undefined)
  workbench.getState().openInBackground({ kind: 'entity', id, name, path })
  if (!entityStore.get(key)) entityStore.receive(entity, etag, undefined)
  return key
}

function report({ entity: { id, name, path } }: LoadedEntity, text: string): void {
  const open = { label: 'Open', run: () => openAt({ kind: 'entity', id, name, path }) }
  const key = draftKey(id, undefined)
  notify('success', text, open, { isUnsaved: () => entityStore.isUnsaved(key) })
}
